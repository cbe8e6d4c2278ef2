import COSE
import Foundation
import Testing
import WebAuthn

/// One of the specification's test vectors: a registration and an authentication with the same credential.
struct Vector: Sendable {
    let name: String
    let registration: Ceremony
    let authentication: Ceremony

    struct Ceremony: Sendable, Decodable {
        let members: [String: String]

        init(from decoder: any Decoder) throws {
            members = try decoder.singleValueContainer().decode([String: String].self)
        }

        func bytes(_ name: String) throws -> [UInt8] {
            let digits = try #require(members[name])
            return try #require(Hex.decode(digits))
        }
    }

    /// Every vector.
    static let supported = [
        "none-es256", "packed-self-es256", "none-es256-crossOrigin", "none-es256-topOrigin",
        "none-es256-long-credential-id", "packed-es256", "packed-es384", "packed-es512", "packed-rs256",
        "packed-eddsa", "packed-ed448", "tpm-es256", "android-key-es256", "apple-es256", "fido-u2f-es256",
    ]

    static func named(_ name: String) throws -> Vector {
        let file = try VectorFile.load()
        let vector = try #require(file.vectors[name])
        return Vector(name: name, registration: vector.registration, authentication: vector.authentication)
    }

    static func allNames() throws -> [String] { try VectorFile.load().vectors.keys.sorted() }

    /// The RSA credential's key: the file does not contain it, but its primes are 2^2203 − 1 and 2^1279 − 1.
    static func rsaKey() throws -> COSE.PrivateKey { try madeRSAKey.get() }

    private static let madeRSAKey = Result {
        let primes = (
            [0x07] + [UInt8](repeating: 0xFF, count: 275), [0x7F] + [UInt8](repeating: 0xFF, count: 159)
        )
        return try COSE.PrivateKey(algorithm: .rs256, primes: primes)
    }

    func credentialKey(_ algorithm: COSE.Algorithm) throws -> COSE.PrivateKey {
        guard algorithm != .rs256 else { return try Self.rsaKey() }
        let name = registration.members["private_key"] == nil ? "credential_private_key" : "private_key"
        let scalar = try registration.bytes(name)
        // The vectors leave out a P-521 scalar's leading zero.
        let length = algorithm == .es512 ? 66 : scalar.count
        let padding = [UInt8](repeating: 0, count: length - scalar.count)
        return try COSE.PrivateKey(algorithm: algorithm, rawRepresentation: padding + scalar)
    }
}

/// The vectors and the root that certifies their attestation keys.
struct VectorFile: Decodable, Sendable {
    let vectors: [String: Pair]
    let root: Root

    struct Pair: Decodable, Sendable {
        let registration: Vector.Ceremony
        let authentication: Vector.Ceremony
    }

    struct Root: Decodable, Sendable {
        let key: String
        let certificate: String
        let serialNumber: String

        private enum CodingKeys: String, CodingKey {
            case key = "attestation_ca_key"
            case certificate = "attestation_ca_cert"
            case serialNumber = "attestation_ca_serial_number"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case vectors
        case root = "attestation_root"
    }

    /// Read once, for thousands of samples.
    private static let file = Result { try read() }

    static func load() throws -> VectorFile { try file.get() }

    private static func read() throws -> VectorFile {
        let url = try #require(
            Bundle.module.url(forResource: "webauthn-l3", withExtension: "json", subdirectory: "Vectors"))
        return try JSONDecoder().decode(VectorFile.self, from: Data(contentsOf: url))
    }

    /// The attestation root's certificate, in DER.
    static func rootCertificate() throws -> [UInt8] {
        try #require(Hex.decode(try load().root.certificate))
    }

    /// The serial number of the attestation root's certificate.
    static func rootSerialNumber() throws -> [UInt8] {
        try #require(Hex.decode(try load().root.serialNumber))
    }

    /// The attestation root's P-256 scalar.
    static func rootKey() throws -> [UInt8] {
        try #require(Hex.decode(try load().root.key))
    }
}
