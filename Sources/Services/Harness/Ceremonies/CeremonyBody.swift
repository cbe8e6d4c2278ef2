internal import WebAuthn

/// A ceremony's response as it arrived, and what could be read of it.
struct CeremonyBody<Response: Sendable>: Sendable {
    /// The JSON, which the verifier reads anew so that the ledger says what is wrong with it.
    let json: [UInt8]
    /// Nil when the JSON is the other ceremony's response.
    let response: Response?
}

extension CeremonyBody<RegistrationResponse> {
    /// The challenge the client data state, for telling apart what was stored; never what is expected.
    var statedChallenge: [UInt8]? { challengeStated(in: response?.response.clientDataJSON.bytes) }
}

extension CeremonyBody<AuthenticationResponse> {
    /// The challenge the client data state, for telling apart what was stored; never what is expected.
    var statedChallenge: [UInt8]? { challengeStated(in: response?.response.clientDataJSON.bytes) }
}

private func challengeStated(in clientDataJSON: [UInt8]?) -> [UInt8]? {
    clientDataJSON
        .flatMap { try? CollectedClientData(parsing: $0) }
        .flatMap { Base64URL.decode($0.challenge) }
}
