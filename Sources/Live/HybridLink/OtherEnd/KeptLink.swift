package import CTAPHybrid
internal import Foundation
internal import Machine

/// A linked phone as a file keeps it, with the place where it is looked for.
package struct KeptLink: Hashable, Sendable {
    package let phone: LinkedPhone
    package let air: HybridAir

    package init(_ phone: LinkedPhone, _ air: HybridAir) { (self.phone, self.air) = (phone, air) }
}

extension KeptLink: Codable {
    private enum CodingKeys: String, CodingKey {
        case air, domain, contactID, linkID, linkSecret, publicKey, name
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func bytes(_ key: CodingKeys, _ length: Int? = nil) throws -> [UInt8] {
            let bytes = Array(try container.decode(Data.self, forKey: key))
            guard !bytes.isEmpty, length.map({ $0 == bytes.count }) ?? true else {
                throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "a wrong length")
            }
            return bytes
        }
        guard let key = HybridPublicKey(compressed: try bytes(.publicKey)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .publicKey, in: container, debugDescription: "not a point on P-256")
        }
        air = try container.decode(HybridAir.self, forKey: .air)
        phone = LinkedPhone(
            domain: TunnelDomain(rawValue: try container.decode(UInt16.self, forKey: .domain)),
            contactID: try bytes(.contactID), linkID: try bytes(.linkID, LinkingInformation.linkIDLength),
            linkSecret: try bytes(.linkSecret, LinkingInformation.linkSecretLength), publicKey: key,
            name: try container.decode(String.self, forKey: .name))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(air, forKey: .air)
        try container.encode(phone.domain.rawValue, forKey: .domain)
        try container.encode(Data(phone.contactID), forKey: .contactID)
        try container.encode(Data(phone.linkID), forKey: .linkID)
        try container.encode(Data(phone.linkSecret), forKey: .linkSecret)
        try container.encode(Data(phone.publicKey.compressed), forKey: .publicKey)
        try container.encode(phone.name, forKey: .name)
    }
}
