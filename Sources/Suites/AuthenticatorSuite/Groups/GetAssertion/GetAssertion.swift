internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance
internal import WebAuthn

extension AuthenticatorSuite {
    /// authenticatorGetAssertion and authenticatorGetNextAssertion (CTAP 2.3 §6.2, §6.3).
    package static let getAssertion = Group(
        "getAssertion", "authenticatorGetAssertion and authenticatorGetNextAssertion",
        CredentialForms.getAssertion.cases + GetAssertionCases.parameters + GetAssertionCases.allowList
            + GetAssertionCases.options + GetAssertionCases.authorisation + GetAssertionCases.response
            + GetAssertionCases.signatures + GetAssertionCases.accounts)
}

/// The cases of authenticatorGetAssertion.
enum GetAssertionCases {
    /// A case with the shared credential and the parameters of a request that allows it.
    static func request(
        _ name: String, _ title: String, _ clause: Clause, level: Level = .must, needs: [AuthenticatorNeed] = [],
        person: [ManualAct] = [.touch],
        _ perform: @escaping @Sendable (AuthenticatorBench, BenchCredential, inout CBOR.Map) async throws -> Void
    ) -> Case {
        Case(
            "getAssertion.\(name)", title, clause, level: level, needs: [.ctap2, .credentials] + needs, person: person
        ) { bench in
            let credential = try await bench.sharedCredential()
            var parameters = try await bench.authorized(
                getAssertion: bench.getAssertionParameters(allowing: [credential]), verified: false)
            try await perform(bench, credential, &parameters)
        }
    }

    /// A case that sends a valid request with one change, and looks at the status alone.
    static func changed(
        _ name: String, _ title: String, _ clause: Clause, level: Level = .must, needs: [AuthenticatorNeed] = [],
        person: [ManualAct] = [.touch], gives statuses: [CTAPStatus],
        _ change: @escaping @Sendable (AuthenticatorBench, BenchCredential, inout CBOR.Map) -> Void
    ) -> Case {
        request(name, title, clause, level: level, needs: needs, person: person) { bench, credential, parameters in
            change(bench, credential, &parameters)
            bench.expect(try await bench.send(.getAssertion, parameters), anyOf: statuses)
        }
    }
}

/// An assertion that was read.
struct BenchAssertion: Sendable {
    let response: CBOR.Map
    let bytes: [UInt8]
    let data: AuthenticatorData
    /// Empty if the response has no signature, so that only the signature cases fail.
    let signature: [UInt8]

    /// - Throws: `CaseStop` when the answer is not that of a success, or its data cannot be read, for which
    ///   getAssertion.data fails.
    init(_ answer: AuthenticatorAnswer, _ bench: AuthenticatorBench) throws(CaseStop) {
        response = try bench.response(answer, to: "GetAssertion")
        bytes = try bench.bytes(response, 2, "authData (0x02)")
        if case .bytes(let bytes)? = response[3] { signature = bytes } else { signature = [] }
        do {
            data = try AuthenticatorData(parsing: bytes)
        } catch {
            throw CaseStop.notRun("authData cannot be read, see getAssertion.data: \(error)")
        }
    }

    /// Whether the signature is that of a credential over this request.
    func verifies(_ credential: BenchCredential, _ parameters: CBOR.Map) -> Bool {
        guard case .bytes(let hash)? = parameters[2] else { return false }
        return credential.publicKey.verify(signature, over: bytes + hash)
    }

    /// The account; nil where the response leaves it out.
    var user: CBOR.Map? {
        guard case .map(let user)? = response[4] else { return nil }
        return user
    }
}
