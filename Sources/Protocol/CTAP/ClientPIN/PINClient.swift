internal import CBOR
internal import COSE
internal import Crypto
internal import Foundation

/// The platform's side of authenticatorClientPIN (CTAP 2.3 §6.5.5): setting and changing PINs, getting tokens.
public struct PINClient: Sendable {
    /// The protocol in use.
    public let pinProtocol: PINUVAuthProtocol
    private let client: AuthenticatorClient
    private let randomBytes: @Sendable (Int) -> [UInt8]

    /// A client of one PIN/UV auth protocol; `randomBytes` serves the key agreement and initialisation vectors.
    public init(
        _ client: AuthenticatorClient, protocol pinProtocol: PINUVAuthProtocol,
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.client = client
        self.pinProtocol = pinProtocol
        self.randomBytes = randomBytes
    }

    /// A token and the protocol its codes are made with.
    public struct Token: Sendable, CustomStringConvertible {
        /// The token, a secret.
        public let bytes: [UInt8]
        /// The protocol it belongs to.
        public let pinProtocol: PINUVAuthProtocol

        /// The `pinUvAuthParam` of a message.
        public func authenticate(_ message: [UInt8]) -> [UInt8] { pinProtocol.authenticate(message, key: bytes) }

        /// The word "pinUvAuthToken"; never the bytes.
        public var description: String { "pinUvAuthToken" }
    }

    /// The PIN retries left, and whether only a power cycle lifts a block.
    public func pinRetries() async throws(AuthenticatorClient.Failure) -> (retries: Int, powerCycleNeeded: Bool) {
        let response = try await client.clientPIN(ClientPINRequest(subCommand: .getPINRetries))
        return (response.pinRetries ?? 0, response.powerCycleState ?? false)
    }

    /// The built-in user verification retries left.
    public func uvRetries() async throws(AuthenticatorClient.Failure) -> Int {
        try await client.clientPIN(ClientPINRequest(subCommand: .getUVRetries)).uvRetries ?? 0
    }

    /// Sets the first PIN.
    public func setPIN(_ pin: String) async throws(AuthenticatorClient.Failure) {
        var (request, secret) = try await agree(.setPIN)
        let encrypted = try encrypt(Self.padded(pin), secret)
        request.newPinEnc = encrypted
        request.pinUvAuthParam = pinProtocol.authenticate(encrypted, key: secret.authenticationKey)
        _ = try await client.clientPIN(request)
    }

    /// Replaces the PIN.
    public func changePIN(from current: String, to new: String) async throws(AuthenticatorClient.Failure) {
        var (request, secret) = try await agree(.changePIN)
        let encrypted = try encrypt(Self.padded(new), secret)
        let hash = try encrypt(Self.hashed(current), secret)
        request.newPinEnc = encrypted
        request.pinHashEnc = hash
        request.pinUvAuthParam = pinProtocol.authenticate(encrypted + hash, key: secret.authenticationKey)
        _ = try await client.clientPIN(request)
    }

    /// A token for a PIN; without permissions by the CTAP 2.0 subcommand, with them by the newer one.
    public func token(
        pin: String, permissions: PINUVAuthTokenPermissions?, relyingPartyID: String? = nil
    ) async throws(AuthenticatorClient.Failure) -> Token {
        var (request, secret) = try await agree(
            permissions == nil ? .getPinToken : .getPinUvAuthTokenUsingPinWithPermissions)
        request.pinHashEnc = try encrypt(Self.hashed(pin), secret)
        request.permissions = permissions.map { Int($0.rawValue) }
        request.relyingPartyID = relyingPartyID
        return try await token(request, secret)
    }

    /// A token for built-in user verification.
    public func tokenUsingUV(
        permissions: PINUVAuthTokenPermissions, relyingPartyID: String? = nil
    ) async throws(AuthenticatorClient.Failure) -> Token {
        var (request, secret) = try await agree(.getPinUvAuthTokenUsingUvWithPermissions)
        request.permissions = Int(permissions.rawValue)
        request.relyingPartyID = relyingPartyID
        return try await token(request, secret)
    }

    private func token(
        _ request: ClientPINRequest, _ secret: PINUVAuthProtocol.SharedSecret
    ) async throws(AuthenticatorClient.Failure) -> Token {
        let response = try await client.clientPIN(request)
        guard let encrypted = response.pinUvAuthToken, let token = pinProtocol.decrypt(encrypted, with: secret),
            token.count == 32 || (token.count == 16 && pinProtocol == .one)
        else { throw .invalidResponse(.clientPIN, "it holds no pinUvAuthToken of a length its protocol allows") }
        return Token(bytes: token, pinProtocol: pinProtocol)
    }

    private func agree(
        _ subcommand: ClientPINSubcommand
    ) async throws(AuthenticatorClient.Failure) -> (ClientPINRequest, PINUVAuthProtocol.SharedSecret) {
        let (platformKey, secret) = try await agreeOnSecret()
        var request = ClientPINRequest(subCommand: subcommand, pinUvAuthProtocol: pinProtocol.rawValue)
        request.keyAgreement = platformKey
        return (request, secret)
    }

    /// The platform's public key, and the secret shared with the authenticator.
    func agreeOnSecret() async throws(AuthenticatorClient.Failure) -> (CBOR.Value, PINUVAuthProtocol.SharedSecret) {
        let response = try await client.clientPIN(
            ClientPINRequest(subCommand: .getKeyAgreement, pinUvAuthProtocol: pinProtocol.rawValue))
        guard let peer = response.keyAgreement, let key = KeyAgreementKey(randomBytes: randomBytes),
            let secret = key.sharedSecret(with: peer, protocol: pinProtocol)
        else { throw .invalidResponse(.clientPIN, "its key agreement key is not a point on P-256") }
        return (key.publicKey, secret)
    }

    func encrypt(
        _ plaintext: [UInt8], _ secret: PINUVAuthProtocol.SharedSecret
    ) throws(AuthenticatorClient.Failure) -> [UInt8] {
        guard
            let ciphertext = pinProtocol.encrypt(plaintext, with: secret, initializationVector: randomBytes(16))
        else { throw .invalidResponse(.clientPIN, "the platform could not encrypt") }
        return ciphertext
    }

    /// The PIN in Unicode normalisation form C, padded with zero bytes to 64; a longer one keeps its length rounded
    /// up to whole blocks, for the authenticator to refuse (CTAP 2.3 §6.5.5.5).
    private static func padded(_ pin: String) -> [UInt8] {
        let bytes = Array(pin.precomposedStringWithCanonicalMapping.utf8)
        let length = max(64, (bytes.count + 15) / 16 * 16)
        return bytes + [UInt8](repeating: 0, count: length - bytes.count)
    }

    private static func hashed(_ pin: String) -> [UInt8] {
        Array(sha256(Array(pin.precomposedStringWithCanonicalMapping.utf8)).prefix(16))
    }
}
