internal import CTAP

/// One call at one device: sends commands, and checks the deadline and cancellation around each.
struct Session: Sendable {
    let ceremony: Ceremony
    let client: AuthenticatorClient
    /// See `CTAPDevice.takesOneCommand`.
    var takesOneCommand = false
    let environment: ClientEnvironment
    let deadline: Duration

    /// Runs one command, and translates its failure into the page's exception.
    func send<Response>(
        _ command: (AuthenticatorClient) async throws(AuthenticatorClient.Failure) -> Response
    ) async throws(WebAuthnClientError) -> Response {
        try checkpoint()
        let result: Result<Response, AuthenticatorClient.Failure>
        do {
            result = .success(try await command(client))
        } catch {
            result = .failure(error)
        }
        // A cancellation or timeout during the command takes precedence over its answer.
        try checkpoint()
        switch result {
        case .success(let response): return response
        case .failure(let failure): throw WebAuthnClientError(failure, during: ceremony)
        }
    }

    func ask<Answer>(_ question: (ClientEnvironment) async -> Answer) async throws(WebAuthnClientError) -> Answer {
        try checkpoint()
        let answer = await question(environment)
        try checkpoint()
        return answer
    }

    /// Waits for a touch, on devices with authenticatorSelection.
    func touch(_ info: AuthenticatorInfo) async throws(WebAuthnClientError) {
        guard info.isCTAP21, !takesOneCommand else { return }
        try await send { client async throws(AuthenticatorClient.Failure) in try await client.selection() }
    }

    private func checkpoint() throws(WebAuthnClientError) {
        if Task.isCancelled { throw .aborted }
        if environment.now() >= deadline { throw .timedOut }
    }
}

extension AuthenticatorInfo {
    /// Whether the device speaks CTAP 2.1 or later.
    var isCTAP21: Bool { versions.contains { $0 == "FIDO_2_1" || $0 == "FIDO_2_3" } }
}

extension WebAuthnClientError {
    static let aborted = WebAuthnClientError(.abortError, .clientAborted)
    static let timedOut = WebAuthnClientError(.notAllowedError, .clientTimeout)
}

extension ClientEnvironment {
    /// Runs `body` until it ends or the alarm cancels it.
    func interrupting<Response: Sendable>(
        after timeout: Duration, _ body: @escaping @Sendable () async throws(WebAuthnClientError) -> Response
    ) async throws(WebAuthnClientError) -> Response {
        guard let alarm else { return try await body() }
        let result = await withTaskGroup(of: Result<Response, WebAuthnClientError>?.self) { group in
            group.addTask {
                await alarm(timeout)
                return nil
            }
            group.addTask {
                do throws(WebAuthnClientError) {
                    return .success(try await body())
                } catch {
                    return .failure(error)
                }
            }
            let first = await group.next() ?? nil
            // A cancellation also ends the alarm, and may end it first.
            let aborted = Task.isCancelled
            group.cancelAll()
            await group.waitForAll()
            return first ?? .failure(aborted ? .aborted : .timedOut)
        }
        return try result.get()
    }
}
