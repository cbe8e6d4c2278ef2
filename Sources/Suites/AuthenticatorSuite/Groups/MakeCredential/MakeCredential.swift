internal import CBOR
internal import CTAP
internal import Conformance

extension AuthenticatorSuite {
    /// authenticatorMakeCredential (CTAP 2.3 §6.1).
    package static let makeCredential = Group(
        "makeCredential", "authenticatorMakeCredential",
        CredentialForms.makeCredential.cases + MakeCredentialCases.parameters + MakeCredentialCases.algorithms
            + MakeCredentialCases.excludeList + MakeCredentialCases.options + MakeCredentialCases.authorisation
            + MakeCredentialCases.presence + MakeCredentialCases.response + MakeCredentialCases.enterprise
            + MakeCredentialCases.accounts + MakeCredentialCases.room)
}

/// The cases of authenticatorMakeCredential.
enum MakeCredentialCases {
    /// A case whose steps begin with authorised parameters of a valid request.
    static func request(
        _ name: String, _ title: String, _ clause: Clause, level: Level = .must, from start: StartingState = .any,
        needs: [AuthenticatorNeed] = [], person: [ManualAct] = [], requested: CredentialRequest = CredentialRequest(),
        _ perform: @escaping @Sendable (AuthenticatorBench, inout CBOR.Map) async throws -> Void
    ) -> Case {
        Case(
            "makeCredential.\(name)", title, clause, level: level, from: start,
            needs: [.ctap2, requested.isDiscoverable ? .discoverableCredentials : .credentials] + needs,
            effects: requested.isDiscoverable ? [.addsCredential] : [], person: person
        ) { bench in
            var parameters = try await bench.authorized(makeCredential: bench.makeCredentialParameters(requested))
            try await perform(bench, &parameters)
        }
    }

    /// A case that sends a valid request with one change, and looks at the status alone.
    static func changed(
        _ name: String, _ title: String, _ clause: Clause, level: Level = .must, from start: StartingState = .any,
        needs: [AuthenticatorNeed] = [], person: [ManualAct] = [], gives statuses: [CTAPStatus],
        _ change: @escaping @Sendable (AuthenticatorBench, inout CBOR.Map) -> Void
    ) -> Case {
        request(name, title, clause, level: level, from: start, needs: needs, person: person) { bench, parameters in
            change(bench, &parameters)
            bench.expect(try await bench.send(.makeCredential, parameters), anyOf: statuses)
        }
    }
}
