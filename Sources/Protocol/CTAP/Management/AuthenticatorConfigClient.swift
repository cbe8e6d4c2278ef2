/// The platform's side of authenticatorConfig: changes a device's configuration (CTAP 2.3 §6.11).
public struct AuthenticatorConfigClient: Sendable {
    private let client: AuthenticatorClient
    private let token: PINClient.Token?

    /// A client with a token of the `acfg` permission, which a device with user verification requires.
    public init(_ client: AuthenticatorClient, token: PINClient.Token? = nil) {
        self.client = client
        self.token = token
    }

    /// enableEnterpriseAttestation.
    public func enableEnterpriseAttestation() async throws(AuthenticatorClient.Failure) {
        try await send(AuthenticatorConfigRequest(subCommand: .enableEnterpriseAttestation))
    }

    /// toggleAlwaysUv.
    public func toggleAlwaysUV() async throws(AuthenticatorClient.Failure) {
        try await send(AuthenticatorConfigRequest(subCommand: .toggleAlwaysUv))
    }

    /// setMinPINLength; nil leaves a setting unchanged.
    ///
    /// - Parameters:
    ///   - length: code points, at least the current minimum.
    ///   - relyingPartyIDs: the relying parties that may read the length by the minPinLength extension.
    ///   - forcesChange: whether the PIN has to be changed before its next use.
    ///   - demandsComplexity: whether PINs must meet a complexity policy.
    public func setMinPINLength(
        _ length: Int? = nil, relyingPartyIDs: [String]? = nil, forcesChange: Bool? = nil,
        demandsComplexity: Bool? = nil
    ) async throws(AuthenticatorClient.Failure) {
        var request = AuthenticatorConfigRequest(subCommand: .setMinPINLength)
        request.newMinPINLength = length
        request.minPinLengthRPIDs = relyingPartyIDs
        request.forceChangePin = forcesChange
        request.pinComplexityPolicy = demandsComplexity
        try await send(request)
    }

    /// enableLongTouchForReset (CTAP 2.3).
    public func enableLongTouchForReset() async throws(AuthenticatorClient.Failure) {
        try await send(AuthenticatorConfigRequest(subCommand: .enableLongTouchForReset))
    }

    private func send(_ request: AuthenticatorConfigRequest) async throws(AuthenticatorClient.Failure) {
        try await client.config(request.authenticated(by: token))
    }
}
