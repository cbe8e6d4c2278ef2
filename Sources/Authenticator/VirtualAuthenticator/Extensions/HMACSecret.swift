internal import CBOR
internal import COSE
internal import CTAP
internal import Causes
internal import Crypto
internal import Foundation

/// The platform's salts for the hmac-secret extension, decrypted (CTAP 2.3 §12.7).
struct HMACSecretInput: Sendable {
    let salts: [[UInt8]]
    let secret: PINUVAuthProtocol.SharedSecret
    let pinProtocol: PINUVAuthProtocol
}

extension VirtualAuthenticator {
    private static func reason(_ cause: Cause) -> RefusalReason { RefusalReason("hmacSecret", cause, "CTAP 2.3 §12.7") }

    /// Reads `{1: keyAgreement, 2: saltEnc, 3: saltAuth, 4: pinUvAuthProtocol}`; the protocol is 1 unless given.
    ///
    /// - Throws: 0x14 for a missing member, 0x02 for an unusable protocol or key, 0x33 for salts with a wrong
    ///   code, 0x03 for salts that are not 32 or 64 bytes long.
    func hmacSecretInput(
        _ identifier: AuthenticatorExtension, _ extensions: [String: CBOR.Value], _ context: CommandContext
    ) throws(Refusal) -> HMACSecretInput? {
        let input = try extensionInput(identifier, extensions) { value, path throws(CBOR.AccessError) in
            let map = try value.asMap(path)
            return (
                keyAgreement: try map.required(0x01, "\(path).keyAgreement"),
                saltEnc: try map.required(0x02, "\(path).saltEnc").asBytes("\(path).saltEnc"),
                saltAuth: try map.required(0x03, "\(path).saltAuth").asBytes("\(path).saltAuth"),
                pinUvAuthProtocol: try map[0x04]?.asUnsigned("\(path).pinUvAuthProtocol") ?? 1
            )
        }
        guard let input else { return nil }
        guard let pinProtocol = supportedProtocol(input.pinUvAuthProtocol) else {
            throw Refusal(.invalidParameter, Self.reason(.protocolUnsupported))
        }
        let secret = try sharedSecret(with: input.keyAgreement, pinProtocol, context)
        try require(
            pinProtocol.verify(input.saltAuth, over: input.saltEnc, key: secret.authenticationKey),
            else: Refusal(.pinAuthInvalid, Self.reason(.saltAuthInvalid)))
        guard let salts = pinProtocol.decrypt(input.saltEnc, with: secret), salts.count == 32 || salts.count == 64
        else { throw Refusal(.invalidLength, Self.reason(.saltLength)) }
        return HMACSecretInput(
            salts: stride(from: 0, to: salts.count, by: 32).map { Array(salts[$0..<$0 + 32]) }, secret: secret,
            pinProtocol: pinProtocol)
    }

    /// HMAC-SHA-256 of each salt under the credential's secret, encrypted for the platform.
    func hmacSecretOutput(
        _ input: HMACSecretInput, of credential: StoredCredential, userVerified: Bool
    ) throws(Refusal) -> CBOR.Value {
        let key = SymmetricKey(data: credentialSecret(of: credential, userVerified: userVerified))
        let outputs = input.salts.flatMap { Array(HMAC<SHA256>.authenticationCode(for: $0, using: key)) }
        let encrypted = input.pinProtocol.encrypt(
            outputs, with: input.secret, initializationVector: environment.random.bytes(16))
        guard let encrypted else { throw Refusal(.other, Self.reason(.encryptionFailed)) }
        return .bytes(encrypted)
    }

    /// CredRandomWithUV or CredRandomWithoutUV: those that came with the credential, or derived ones, which each credential
    /// has without storage, and which a reset ends.
    ///
    /// A credential that is copied to other devices has the same there.
    private func credentialSecret(of credential: StoredCredential, userVerified: Bool) -> [UInt8] {
        if let secrets = credential.hmacSecrets { return userVerified ? secrets.withUV : secrets.withoutUV }
        let label = Array((userVerified ? "CredRandomWithUV" : "CredRandomWithoutUV").utf8)
        let key = credential.isBackupEligible ? credential.privateKey.rawRepresentation : state.settings.sealingKey
        return Array(
            HMAC<SHA256>.authenticationCode(
                for: label + credential.id, using: SymmetricKey(data: key)))
    }

    /// The secrets of a credential, for another provider; nil on a device without hmac-secret.
    public func hmacSecrets(of credential: StoredCredential) -> HMACSecrets? {
        guard configuration.extensions.contains(.hmacSecret) else { return nil }
        return HMACSecrets(
            withUV: credentialSecret(of: credential, userVerified: true),
            withoutUV: credentialSecret(of: credential, userVerified: false))
    }
}

/// The secrets of a credential for hmac-secret and prf (CTAP 2.3 §12.7).
public struct HMACSecrets: Hashable, Sendable {
    /// CredRandomWithUV, 32 bytes.
    public var withUV: [UInt8]
    /// CredRandomWithoutUV, 32 bytes.
    public var withoutUV: [UInt8]

    /// The secrets for requests with and without a verified user.
    public init(withUV: [UInt8], withoutUV: [UInt8]) { (self.withUV, self.withoutUV) = (withUV, withoutUV) }
}
