public import COSE
internal import Crypto
internal import Foundation
internal import SwiftASN1
internal import Synchronization
internal import X509

/// A certification authority for test attestation; all its keys and certificates are derived from a seed.
///
/// Its signatures prove nothing to a relying party that does not trust its root.
public struct AttestationAuthority: Sendable {
    /// The root certificate in DER: the trust anchor for a relying party.
    public let rootCertificate: [UInt8]
    /// The vendor in its certificates.
    public let vendor: AttestationVendor
    let rootKey: COSE.PrivateKey
    private let seed: [UInt8]

    /// The seed of the default authority; its root key is the same on every machine.
    public static let standardSeed = Array("Touchstone test attestation root".utf8)

    /// Creates an authority.
    ///
    /// - Throws: the library's error; a seed of any length is valid.
    public init(seed: [UInt8] = standardSeed, vendor: AttestationVendor = AttestationVendor()) throws {
        try self.init(
            rootKey: Self.key("root", seed), rootSerialNumber: Self.serialNumber("root", seed), vendor: vendor,
            seed: seed)
    }

    /// Creates an authority with a given root key.
    ///
    /// - Parameters:
    ///   - rootKey: a key for ES256.
    ///   - rootSerialNumber: its certificate's serial number, a positive number, big-endian.
    ///   - vendor: the vendor that the certificates name.
    ///   - seed: the seed of all other keys and serial numbers.
    /// - Throws: ``AttestationError/unsuitableKey(_:)``, or the library's error.
    public init(
        rootKey: COSE.PrivateKey, rootSerialNumber: [UInt8], vendor: AttestationVendor,
        seed: [UInt8] = standardSeed
    ) throws {
        guard rootKey.algorithm == .es256 else { throw AttestationError.unsuitableKey(rootKey.algorithm) }
        self.seed = seed
        self.vendor = vendor
        self.rootKey = rootKey
        var form = CertificateForm(vendor, publicKey: rootKey.publicKey, serialNumber: rootSerialNumber)
        form.becomeAuthority(vendor)
        rootCertificate = try form.issued(by: form.subject, key: rootKey, authority: nil)
    }

    /// The root certificate in PEM.
    public var rootPEM: String { PEMDocument(type: "CERTIFICATE", derBytes: rootCertificate).pemString }

    /// The certificate between the root and the leaves that it issues, in DER.
    ///
    /// - Throws: the library's error.
    package var intermediateCertificate: [UInt8] { get throws { try intermediate().certificate } }

    func key(_ name: String) throws -> COSE.PrivateKey { try Self.key(name, seed) }

    /// The RSA keys made so far, by seed; making one takes a few tenths of a second.
    private static let tpmKeys = Mutex<[[UInt8]: COSE.PrivateKey]>([:])

    /// The attestation key of TPMs that sign with RS1, the same for every model; a build without libcrypto cannot derive it, and
    /// has another one in each process.
    func tpmKey() throws -> COSE.PrivateKey {
        try Self.tpmKeys.withLock { keys in
            if let key = keys[seed] { return key }
            let key =
                COSE.Algorithm.rs1.absence == nil
                ? try Self.key("TPM attestation", seed, .rs1) : try COSE.PrivateKey.randomRSA(.rs1)
            keys[seed] = key
            return key
        }
    }

    func serialNumber(_ name: String) -> [UInt8] { Self.serialNumber(name, seed) }

    func issue(_ form: CertificateForm) throws -> [UInt8] {
        var root = CertificateForm(vendor, publicKey: rootKey.publicKey, serialNumber: [1])
        root.becomeAuthority(vendor)
        return try form.issued(by: root.subject, key: rootKey, authority: rootKey.publicKey)
    }

    struct Intermediate {
        let certificate: [UInt8]
        fileprivate let subject: DistinguishedName
        fileprivate let key: COSE.PrivateKey

        func issue(_ form: CertificateForm) throws -> [UInt8] {
            try form.issued(by: subject, key: key, authority: key.publicKey)
        }
    }

    func intermediate(_ edit: (inout CertificateForm) -> Void = { _ in }) throws -> Intermediate {
        let key = try key("intermediate")
        var form = CertificateForm(vendor, publicKey: key.publicKey, serialNumber: serialNumber("intermediate"))
        form.becomeAuthority(vendor, maxPathLength: 0)
        form.commonName = vendor.commonName + " Intermediate"
        edit(&form)
        return Intermediate(certificate: try issue(form), subject: try form.subject, key: key)
    }

    private static func key(
        _ name: String, _ seed: [UInt8], _ algorithm: COSE.Algorithm = .es256
    ) throws -> COSE.PrivateKey {
        var attempt = 0
        return try COSE.PrivateKey.generate(algorithm) { count in
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
