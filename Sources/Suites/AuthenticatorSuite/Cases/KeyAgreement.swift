internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance
internal import Foundation

/// The platform's half of a key agreement, for one request (CTAP 2.3 §6.5.6, §6.5.7).
struct AgreedSecret: Sendable {
    let pinProtocol: PINUVAuthProtocol
    let platformKey: CBOR.Value
    let secret: PINUVAuthProtocol.SharedSecret
    let randomBytes: @Sendable (Int) -> [UInt8]

    /// Encrypts whole blocks of 16 bytes.
    func encrypt(_ plaintext: [UInt8]) throws(CaseStop) -> [UInt8] {
        guard let ciphertext = pinProtocol.encrypt(plaintext, with: secret, initializationVector: randomBytes(16))
        else { throw .notRun("\(plaintext.count) bytes are not whole blocks") }
        return ciphertext
    }

    func authenticate(_ message: [UInt8]) -> [UInt8] {
        pinProtocol.authenticate(message, key: secret.authenticationKey)
    }

    /// A new PIN as it is sent: bytes, padded with zeros and encrypted.
    func newPinEnc(_ pin: [UInt8], paddedTo length: Int = 64) throws(CaseStop) -> [UInt8] {
        try encrypt(pin + [UInt8](repeating: 0, count: max(0, length - pin.count)))
    }

    func pinHashEnc(_ pin: String) throws(CaseStop) -> [UInt8] {
        try encrypt(Array(sha256(Array(pin.precomposedStringWithCanonicalMapping.utf8)).prefix(16)))
    }
}

/// A pinUvAuthToken that the platform holds.
struct HeldToken: Sendable {
    let pinProtocol: PINUVAuthProtocol
    let bytes: [UInt8]

    /// The pinUvAuthParam of a message.
    func authenticate(_ message: [UInt8]) -> [UInt8] { pinProtocol.authenticate(message, key: bytes) }
}

/// The members of authenticatorClientPIN's requests.
enum PINMember {
    static let pinUvAuthProtocol = 0x01
    static let subCommand = 0x02
    static let keyAgreement = 0x03
    static let pinUvAuthParam = 0x04
    static let newPinEnc = 0x05
    static let pinHashEnc = 0x06
    static let permissions = 0x09
    static let rpID = 0x0A
}
