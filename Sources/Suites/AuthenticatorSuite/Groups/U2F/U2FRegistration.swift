internal import COSE
internal import Conformance

/// A registration that was read (FIDO U2F Raw Message Formats 1.2 §4.3).
struct U2FRegistration: Sendable {
    let application: [UInt8]
    let challenge: [UInt8]
    let data: [UInt8]
    let publicKey: [UInt8]
    let keyHandle: [UInt8]
    /// The certificate in DER.
    let certificate: [UInt8]
    let signature: [UInt8]

    /// - Throws: `CaseStop` when a part is missing.
    init(_ data: [UInt8], _ application: [UInt8], _ challenge: [UInt8], _ bench: AuthenticatorBench) throws(CaseStop) {
        (self.data, self.application, self.challenge) = (data, application, challenge)
        guard data.count > 67, data.count > 67 + Int(data[66]) else {
            throw bench.fail(
                "a key of 65 bytes, a key handle, a certificate and a signature", seen: "\(data.count) bytes")
        }
        publicKey = Array(data[1..<66])
        let end = 67 + Int(data[66])
        keyHandle = Array(data[67..<end])
        let rest = Array(data[end...])
        guard let length = Self.lengthOfDER(rest), rest.count > length else {
            throw bench.fail("a certificate in DER and a signature", seen: "\(rest.count) bytes")
        }
        certificate = Array(rest.prefix(length))
        signature = Array(rest.dropFirst(length))
    }

    private static func lengthOfDER(_ bytes: [UInt8]) -> Int? {
        guard bytes.count > 4, bytes[0] == 0x30 else { return nil }
        return switch bytes[1] {
        case 0..<0x80: 2 + Int(bytes[1])
        case 0x81: 3 + Int(bytes[2])
        case 0x82: 4 + (Int(bytes[2]) << 8 | Int(bytes[3]))
        default: nil
        }
    }

    func key() throws -> COSE.PublicKey { try Self.point(publicKey) }

    /// A key of its uncompressed point.
    static func point(_ bytes: [UInt8]) throws -> COSE.PublicKey {
        guard bytes.count == 65, bytes[0] == 4 else {
            throw COSE.KeyError.wrongLength(parameter: -2, expected: 65, found: bytes.count)
        }
        return try COSE.PublicKey(algorithm: .es256, x: Array(bytes[1..<33]), y: Array(bytes[33..<65]))
    }
}
