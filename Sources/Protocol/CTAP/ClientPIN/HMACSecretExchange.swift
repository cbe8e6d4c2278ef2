public import CBOR

/// The platform's side of one use of hmac-secret or hmac-secret-mc (CTAP 2.3 §12.7, §12.8): the input to send, and
/// the decryption of the output.
public struct HMACSecretExchange: Sendable {
    /// The extension's input: `{1: keyAgreement, 2: saltEnc, 3: saltAuth, 4: pinUvAuthProtocol}`.
    public let input: CBOR.Value
    private let secret: PINUVAuthProtocol.SharedSecret
    private let pinProtocol: PINUVAuthProtocol
    private let saltCount: Int

    /// The bytes of a salt and of an output.
    public static let saltLength = 32

    init(
        salts: [[UInt8]], platformKey: CBOR.Value, secret: PINUVAuthProtocol.SharedSecret,
        pinProtocol: PINUVAuthProtocol, saltEnc: [UInt8]
    ) {
        self.secret = secret
        self.pinProtocol = pinProtocol
        saltCount = salts.count
        input = [
            0x01: platformKey, 0x02: .bytes(saltEnc),
            0x03: .bytes(pinProtocol.authenticate(saltEnc, key: secret.authenticationKey)),
            0x04: .integer(pinProtocol.rawValue),
        ]
    }

    /// The outputs, 32 bytes for each salt; nil when `encrypted` has another length.
    public func outputs(_ encrypted: [UInt8]) -> [[UInt8]]? {
        guard let plaintext = pinProtocol.decrypt(encrypted, with: secret),
            plaintext.count == saltCount * Self.saltLength
        else { return nil }
        return stride(from: 0, to: plaintext.count, by: Self.saltLength).map {
            Array(plaintext[$0..<$0 + Self.saltLength])
        }
    }
}

extension PINClient {
    /// Agrees on a key and encrypts salts with it, for hmac-secret and hmac-secret-mc.
    ///
    /// - Parameter salts: one or two of 32 bytes.
    public func hmacSecretExchange(salts: [[UInt8]]) async throws(AuthenticatorClient.Failure) -> HMACSecretExchange {
        let (platformKey, secret) = try await agreeOnSecret()
        return HMACSecretExchange(
            salts: salts, platformKey: platformKey, secret: secret, pinProtocol: pinProtocol,
            saltEnc: try encrypt(salts.flatMap { $0 }, secret))
    }
}
