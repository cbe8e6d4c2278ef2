internal import COSE
internal import Crypto
internal import Foundation
internal import SwiftASN1
internal import X509

/// A certification authority for test attestation: a root whose every key and certificate follows from a seed.
///
/// Nothing it signs proves anything to anybody who was not told to trust its root.
public struct AttestationAuthority: Sendable {
    /// The root certificate, DER: what a relying party is given as its trust anchor.
    public let rootCertificate: [UInt8]
    let rootKey: COSE.PrivateKey
    let rootName: DistinguishedName
    private let seed: [UInt8]

    /// The seed of the authority every device uses unless told otherwise; its root is the same everywhere.
    public static let standardSeed = Array("Touchstone test attestation root".utf8)

    /// Makes an authority.
    ///
    /// - Throws: the library's error, which for a seed of any length does not happen.
    public init(seed: [UInt8] = standardSeed) throws {
        self.seed = seed
        rootKey = try Self.key("root", seed)
        var form = CertificateForm(publicKey: rootKey.publicKey, serialNumber: Self.serialNumber("root", seed))
        form.unit = "Authenticator Attestation CA"
        form.commonName = "Touchstone Test Attestation Root"
        form.basicConstraints = .isCertificateAuthority(maxPathLength: nil)
        rootName = try form.subject
        rootCertificate = try form.issued(by: rootName, key: rootKey)
    }

    /// The root certificate in PEM.
    public var rootPEM: String {
        PEMDocument(type: "CERTIFICATE", derBytes: rootCertificate).pemString
    }

    /// A key that belongs to this authority under a name, such as a model's attestation key.
    func key(_ name: String) throws -> COSE.PrivateKey { try Self.key(name, seed) }

    /// A serial number of 16 bytes that goes with a name.
    func serialNumber(_ name: String) -> [UInt8] { Self.serialNumber(name, seed) }

    /// Issues a certificate.
    func issue(_ form: CertificateForm) throws -> [UInt8] { try form.issued(by: rootName, key: rootKey) }

    private static func key(_ name: String, _ seed: [UInt8]) throws -> COSE.PrivateKey {
        var attempt = 0
        return try COSE.PrivateKey.generate(.es256) { count in
            attempt += 1
            return bytes("key \(attempt) of \(name)", seed, count: count)
        }
    }

    private static func serialNumber(_ name: String, _ seed: [UInt8]) -> [UInt8] {
        var number = bytes("serial number of \(name)", seed, count: 16)
        // Positive and without leading zeros (RFC 5280 §4.1.2.2).
        number[0] = number[0] & 0x3F | 0x40
        return number
    }

    private static func bytes(_ purpose: String, _ seed: [UInt8], count: Int) -> [UInt8] {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: seed), info: Array(purpose.utf8), outputByteCount: count)
        return key.withUnsafeBytes { Array($0) }
    }
}
