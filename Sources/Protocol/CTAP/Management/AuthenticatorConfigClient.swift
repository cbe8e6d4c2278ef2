/// The platform's side of authenticatorConfig: how a device is set up (CTAP 2.3 §6.11).
public struct AuthenticatorConfigClient: Sendable {
    private let client: AuthenticatorClient
    private let token: PINClient.Token?

    /// - Parameter token: one with the `acfg` permission, which a device whose user can be verified demands.
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

    /// setMinPINLength; nil leaves a setting as it is.
    ///
    /// - Parameters:
    ///   - length: code points, never fewer than now.
    ///   - relyingPartyIDs: who may read the length by the minPinLength extension.
    ///   - forcesChange: whether the PIN has to be changed before it is used again.
    ///   - demandsComplexity: whether PINs must be more than long enough.
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
