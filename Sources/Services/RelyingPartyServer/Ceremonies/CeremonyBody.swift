internal import WebAuthn

/// A ceremony's response, as received and as parsed.
struct CeremonyBody<Response: Sendable>: Sendable {
    /// The JSON, which the verifier parses again, so that the ledger contains its problems.
    let json: [UInt8]
    /// Nil when the JSON is the other ceremony's response.
    let response: Response?
}

extension CeremonyBody<RegistrationResponse> {
    /// The challenge in client data, used only to identify stored challenges; it never becomes the expected one.
    var statedChallenge: [UInt8]? { challengeStated(in: response?.response.clientDataJSON.bytes) }
}

extension CeremonyBody<AuthenticationResponse> {
    var statedChallenge: [UInt8]? { challengeStated(in: response?.response.clientDataJSON.bytes) }
}

private func challengeStated(in clientDataJSON: [UInt8]?) -> [UInt8]? {
    clientDataJSON
        .flatMap { try? CollectedClientData(parsing: $0) }
        .flatMap { Base64URL.decode($0.challenge) }
}
