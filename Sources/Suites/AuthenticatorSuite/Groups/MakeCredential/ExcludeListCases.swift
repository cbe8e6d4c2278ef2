internal import CBOR
internal import CTAP
internal import Conformance
internal import WebAuthn

extension MakeCredentialCases {
    /// The exclude list (CTAP 2.3 §6.1.2 step 12).
    @CaseTable static var excludeList: [Case] {
        excluding(
            "match", "The authenticator refuses an account that has a credential of the list.",
            gives: [.credentialExcluded]
        ) { _, shared in [shared] }
        excluding(
            "matchAmongOthers", "The authenticator finds its credential among others in the list.",
            gives: [.credentialExcluded]
        ) { bench, shared in [unknown(bench), shared, unknown(bench)] }
        excluding("unknown", "The authenticator passes over credentials that are not its own.", gives: [.ok]) {
            bench, _ in [unknown(bench), unknown(bench)]
        }
        excluding(
            "unknownType", "The authenticator passes over descriptors of an unknown type.", level: .should, gives: [.ok]
        ) { _, shared in GetAssertionCases.changed(shared) { $0["type"] = "unknown" }
        }
        excluding(
            "transports", "The transports in a descriptor do not hide its credential.", gives: [.credentialExcluded]
        ) { _, shared in GetAssertionCases.changed(shared) { $0["transports"] = ["usb", "example"] } }
        excluding(
            "unknownMember", "An unknown member of a descriptor does not hide its credential.",
            gives: [.credentialExcluded]
        ) { _, shared in GetAssertionCases.changed(shared) { $0["unknown"] = true } }
        Case(
            "makeCredential.excludeList.otherParty", "A credential of another relying party excludes nothing.",
            .ctap("6.1.2", step: "12"), needs: [.ctap2, .credentials], person: [.touch]
        ) { bench in
            let shared = try await bench.sharedCredential()
            var parameters = try await bench.authorized(makeCredential: bench.makeCredentialParameters())
            parameters[5] = [shared.descriptor]
            bench.expect(
                try await bench.send(.makeCredential, parameters), .ok,
                for: "an exclude list with a credential of another relying party")
        }
        Case(
            "makeCredential.excludeList.otherPartyDiscoverable",
            "A discoverable credential of another relying party excludes nothing.", .ctap("6.1.2", step: "12"),
            needs: [.ctap2, .discoverableCredentials], effects: [.addsCredential], person: [.touch, .touch]
        ) { bench in
            let requested = CredentialRequest(
                discoverable: true, relyingPartyID: "other.\(bench.relyingPartyID)")
            let other = try await bench.newCredential(requested)
            var parameters = try await bench.authorized(makeCredential: bench.makeCredentialParameters())
            parameters[5] = [other.descriptor]
            bench.expect(
                try await bench.send(.makeCredential, parameters), .ok,
                for: "an exclude list with a credential of another relying party")
        }
        Case(
            "makeCredential.excludeList.discoverable", "A discoverable credential of the list excludes its account.",
            .ctap("6.1.2", step: "12"), needs: [.ctap2, .discoverableCredentials], effects: [.addsCredential],
            person: [.touch, .touch]
        ) { bench in
            let made = try await bench.newCredential(CredentialRequest(discoverable: true))
            var parameters = try await bench.authorized(makeCredential: bench.makeCredentialParameters())
            parameters[5] = [made.descriptor]
            bench.expect(try await bench.send(.makeCredential, parameters), .credentialExcluded)
        }
        Case(
            "makeCredential.excludeList.presence",
            "The authenticator asks for a touch before it tells that an account has a credential.",
            .ctap("6.1.2", step: "12"), needs: [.ctap2, .credentials, .touchRequests], person: [.touch]
        ) { bench in
            let answer = try await exclude(bench) { _, shared in [shared] }
            try bench.require(answer, .credentialExcluded)
            try bench.expectTouchRequest(before: answer)
        }
        Case(
            "makeCredential.excludeList.withoutTouch",
            "The authenticator refuses an excluded account also when the user does not touch it.",
            .ctap("6.1.2", step: "12"), needs: [.ctap2, .credentials], person: [.withholdTouch]
        ) { bench in
            _ = try await bench.sharedCredential()
            let parameters = try await excluded(bench) { _, shared in [shared] }
            try await bench.user(.withholdTouch)
            bench.expect(
                try await bench.send(.makeCredential, parameters), .credentialExcluded, .operationDenied,
                .userActionTimeout)
        }
        Case(
            "makeCredential.excludeList.tooLong",
            "The authenticator refuses a list with more credentials than maxCredentialCountInList.",
            .ctap("6.1.2", step: "12"), level: .should,
            needs: [.ctap2, .credentials, .member(.maxCredentialCountInList)]
        ) { bench in
            let count = (bench.info.maxCredentialCountInList ?? 8) + 1
            var parameters = try await bench.authorized(makeCredential: bench.makeCredentialParameters())
            parameters[5] = .array((0..<count).map { _ in unknown(bench, length: 16) })
            bench.expect(
                try await bench.send(.makeCredential, parameters), .limitExceeded, .requestTooLarge,
                for: "a list of \(count) credentials")
        }
        Case(
            "makeCredential.excludeList.longest",
            "The authenticator accepts a list of maxCredentialCountInList credentials.", .ctap("6.1.2", step: "12"),
            needs: [.ctap2, .credentials, .member(.maxCredentialCountInList)], person: [.touch]
        ) { bench in
            let count = bench.info.maxCredentialCountInList ?? 8
            var parameters = try await bench.authorized(makeCredential: bench.makeCredentialParameters())
            parameters[5] = .array((0..<count).map { _ in unknown(bench, length: 16) })
            bench.expect(try await bench.send(.makeCredential, parameters), .ok, for: "a list of \(count) credentials")
        }
    }

    static func unknown(_ bench: AuthenticatorBench, length: Int = 64) -> CBOR.Value {
        PublicKeyCredentialDescriptor(id: bench.randomBytes(length)).cbor
    }

    private static func excluding(
        _ name: String, _ title: String, level: Level = .must, gives statuses: [CTAPStatus],
        _ list: @escaping @Sendable (AuthenticatorBench, CBOR.Value) -> [CBOR.Value]
    ) -> Case {
        Case(
            "makeCredential.excludeList.\(name)", title, .ctap("6.1.2", step: "12"), level: level,
            needs: [.ctap2, .credentials], person: [.touch]
        ) { bench in bench.expect(try await exclude(bench, list), anyOf: statuses) }
    }

    private static func exclude(
        _ bench: AuthenticatorBench, _ list: @Sendable (AuthenticatorBench, CBOR.Value) -> [CBOR.Value]
    ) async throws -> AuthenticatorAnswer { try await bench.send(.makeCredential, try await excluded(bench, list)) }

    private static func excluded(
        _ bench: AuthenticatorBench, _ list: @Sendable (AuthenticatorBench, CBOR.Value) -> [CBOR.Value]
    ) async throws -> CBOR.Map {
        let shared = try await bench.sharedCredential()
        let requested = CredentialRequest(relyingPartyID: shared.relyingPartyID)
        var parameters = try await bench.authorized(makeCredential: bench.makeCredentialParameters(requested))
        parameters[5] = .array(list(bench, shared.descriptor))
        return parameters
    }
}
