internal import CBOR
internal import CTAP
internal import Conformance

/// An empty pinUvAuthParam: the platform asks the user to choose an authenticator (CTAP 2.3 §6.1.2 and §6.2.2, step 1).
struct EmptyCode: Sendable {
    let command: CTAPCommand
    /// The keys of pinUvAuthParam and pinUvAuthProtocol.
    let members: (code: Int, pinProtocol: Int)
    let clause: Clause
    /// The parameters without a code.
    let parameters: @Sendable (AuthenticatorBench) -> CBOR.Map

    static let makeCredential = EmptyCode(
        command: .makeCredential, members: (0x08, 0x09), clause: .ctap("6.1.2", step: "1")
    ) { $0.makeCredentialParameters() }
    static let getAssertion = EmptyCode(
        command: .getAssertion, members: (0x06, 0x07), clause: .ctap("6.2.2", step: "1")
    ) { $0.getAssertionParameters() }

    /// - Parameter name: the group of the cases.
    func cases(of name: String) -> [Case] {
        [
            Case(
                "\(name).pinUvAuthParam.empty",
                "An empty code makes the authenticator wait for a touch and tell whether a PIN is set.", clause,
                needs: [.ctap2, .option(.clientPin)], person: [.touch]
            ) { bench in
                let answer = try await send(on: bench)
                if bench.has(.clientPin) {
                    // CTAP 2.0 named PIN_AUTH_INVALID.
                    bench.expect(answer, .pinInvalid, .pinAuthInvalid, for: "an empty code while a PIN is set")
                } else {
                    bench.expect(answer, .pinNotSet, for: "an empty code while no PIN is set")
                }
                try bench.expectTouchRequest(before: answer)
            },
            Case(
                "\(name).pinUvAuthParam.emptyWithheld", "An empty code without a touch is denied.", clause,
                needs: [.ctap21, .option(.clientPin)], person: [.withholdTouch]
            ) { bench in
                try await bench.user(.withholdTouch)
                bench.expect(
                    try await send(on: bench), .operationDenied, .userActionTimeout,
                    for: "an empty code without touch")
            },
        ]
    }

    private func send(on bench: AuthenticatorBench) async throws -> AuthenticatorAnswer {
        var parameters = parameters(bench)
        parameters[members.code] = .bytes([])
        parameters[members.pinProtocol] = .integer(try bench.preferredProtocol.rawValue)
        return try await bench.send(command, parameters)
    }
}
