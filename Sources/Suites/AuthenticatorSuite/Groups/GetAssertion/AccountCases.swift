internal import CBOR
internal import CTAP
internal import Conformance
internal import WebAuthn

extension GetAssertionCases {
    /// Discoverable credentials and GetNextAssertion (CTAP 2.3 §6.2.2 steps 11 and 12, §6.3).
    @CaseTable static var accounts: [Case] {
        several("discovered", "A discoverable credential answers without a list.", .ctap("6.2.2", step: "7"), 1) {
            bench, made, parameters in
            let assertion = try BenchAssertion(try await bench.send(.getAssertion, parameters), bench)
            let id = try bench.credentialID(in: assertion.response)
            bench.expect(id == made[0].id, "the credential's ID", seen: Hex.encode(id))
            bench.expect(assertion.verifies(made[0], parameters), "its signature", seen: "another")
        }
        several(
            "discovered.userHandle", "The response has the user handle of a discoverable credential.",
            .ctap("6.2.2", step: "12"), 1
        ) { bench, made, parameters in
            let assertion = try await begun(bench, parameters)
            bench.expect(
                assertion.user?["id"] == .bytes(made[0].userID), "the user handle",
                seen: assertion.user.map { "\(CBOR.Value.map($0))" } ?? "no user")
        }
        Case(
            "getAssertion.discovered.longestUserHandle", "A user handle of 64 bytes comes back whole.",
            .webauthn("5.4.3"), needs: [.ctap2, .discoverableCredentials], effects: [.addsCredential],
            person: [.touch, .touch]
        ) { bench in
            let handle = bench.randomBytes(64)
            _ = try await bench.newCredential(CredentialRequest(discoverable: true, userID: handle))
            let parameters = try await bench.authorized(getAssertion: bench.getAssertionParameters(), verified: false)
            let assertion = try await begun(bench, parameters)
            bench.expect(
                assertion.user?["id"] == .bytes(handle), "the user handle of 64 bytes",
                seen: assertion.user.map { "\(CBOR.Value.map($0))" } ?? "no user")
        }
        several(
            "discovered.allowed", "A discoverable credential answers where the list has it.",
            .ctap("6.2.2", step: "7"), 1
        ) { bench, made, parameters in
            parameters[3] = [made[0].descriptor]
            let assertion = try BenchAssertion(try await bench.send(.getAssertion, parameters), bench)
            bench.expect(assertion.verifies(made[0], parameters), "its signature", seen: "another")
        }
        several(
            "several.count", "numberOfCredentials counts the accounts.", .ctap("6.2.2", step: "11"), 3,
            needs: [.optionOff(.plat)]
        ) { bench, _, parameters in
            let response = try bench.response(try await bench.send(.getAssertion, parameters))
            bench.expect(response[5] == 3, "3", seen: "\(response[5] ?? .null)")
        }
        several(
            "several.newestFirst", "The newest credential answers first.", .ctap("6.2.2", step: "12"), 2,
            needs: [.optionOff(.plat)]
        ) { bench, made, parameters in
            let assertion = try BenchAssertion(try await bench.send(.getAssertion, parameters), bench)
            let id = try bench.credentialID(in: assertion.response)
            bench.expect(
                id == made[1].id, "the newer credential", seen: id == made[0].id ? "the older" : "another credential")
        }
        several(
            "next.all", "GetNextAssertion returns each other account once, the newer first.", .ctap("6.3"), 3,
            needs: [.optionOff(.plat)]
        ) { bench, made, parameters in
            var found = [try BenchAssertion(try await bench.send(.getAssertion, parameters), bench)]
            for _ in 0..<2 { found.append(try BenchAssertion(try await bench.send(.getNextAssertion), bench)) }
            let ids = try found.map { try bench.credentialID(in: $0.response) }
            bench.expect(
                ids == made.reversed().map(\.id), "all three, from newest to oldest",
                seen: Set(ids) == Set(made.map(\.id)) ? "another order" : "other credentials")
        }
        several(
            "next.signatures", "Each of the assertions is signed by its credential.", .ctap("6.3"), 2,
            needs: [.optionOff(.plat)]
        ) { bench, made, parameters in
            let first = try BenchAssertion(try await bench.send(.getAssertion, parameters), bench)
            let second = try BenchAssertion(try await bench.send(.getNextAssertion), bench)
            bench.expect(first.verifies(made[1], parameters), "a signature of the newer", seen: "another")
            bench.expect(second.verifies(made[0], parameters), "a signature of the older", seen: "another")
        }
        several(
            "next.userHandle", "Each of the assertions has the user handle of its credential.", .ctap("6.3"), 2,
            needs: [.optionOff(.plat)]
        ) { bench, made, parameters in
            let first = try BenchAssertion(try await bench.send(.getAssertion, parameters), bench)
            let second = try BenchAssertion(try await bench.send(.getNextAssertion), bench)
            for (assertion, credential) in [(first, made[1]), (second, made[0])] {
                bench.expect(
                    assertion.user?["id"] == .bytes(credential.userID), "the account's user handle",
                    seen: assertion.user.map { "\(CBOR.Value.map($0))" } ?? "no user")
            }
        }
        several(
            "next.withoutUser", "GetNextAssertion asks for no further touch.", .ctap("6.3"), 2,
            needs: [.optionOff(.plat)]
        ) { bench, _, parameters in
            try await begun(bench, parameters)
            let answer = try await bench.send(.getNextAssertion)
            try bench.require(answer, .ok)
            bench.expect(!answer.askedForUser, "no request for the user", seen: "STATUS_UPNEEDED")
        }
        several(
            "next.withoutCount", "The response to GetNextAssertion has no numberOfCredentials.", .ctap("6.3"), 2,
            needs: [.optionOff(.plat)]
        ) { bench, _, parameters in
            try await begun(bench, parameters)
            let response = try bench.response(try await bench.send(.getNextAssertion))
            bench.expect(response[5] == nil, "nothing", seen: "\(response[5] ?? .null)")
        }
        several(
            "next.flags", "The flags UP and UV of further assertions are those of the first.", .ctap("6.3"), 2,
            needs: [.optionOff(.plat)]
        ) { bench, _, parameters in
            let first = try BenchAssertion(try await bench.send(.getAssertion, parameters), bench)
            let second = try BenchAssertion(try await bench.send(.getNextAssertion), bench)
            let (one, two) = (first.data.flags, second.data.flags)
            bench.expect(
                one.intersection([.userPresent, .userVerified]) == two.intersection([.userPresent, .userVerified]),
                one.abbreviations, seen: two.abbreviations)
        }
        several(
            "next.exhausted", "GetNextAssertion after the last account is refused.", .ctap("6.3"), 2,
            needs: [.optionOff(.plat)]
        ) { bench, _, parameters in
            try await begun(bench, parameters)
            try bench.require(try await bench.send(.getNextAssertion), .ok)
            bench.expect(try await bench.send(.getNextAssertion), .notAllowed)
        }
        several("next.afterSingle", "GetNextAssertion after the only account is refused.", .ctap("6.3"), 1) {
            bench, _, parameters in
            try await begun(bench, parameters)
            bench.expect(try await bench.send(.getNextAssertion), .notAllowed)
        }
        several(
            "several.verifiedNames", "After user verification, each of several accounts has its name.",
            .ctap("6.2.2", step: "12"), 2,
            needs: [.pin, .optionOff(.noMcGaPermissionsWithClientPin), .optionOff(.plat)]
        ) { bench, _, _ in
            try await bench.ensurePIN()
            let parameters = try await bench.authorized(getAssertion: bench.getAssertionParameters())
            let assertion = try BenchAssertion(try await bench.send(.getAssertion, parameters), bench)
            bench.expect(
                assertion.user?["name"] == "conformance", "the account's name",
                seen: assertion.user.map { "\(CBOR.Value.map($0))" } ?? "no user")
        }
        several(
            "several.unverifiedNames", "Without user verification, accounts have no names.",
            .ctap("6.2.2", step: "12"), 2, needs: [.optionOff(.uv), .optionOff(.alwaysUv), .optionOff(.plat)]
        ) { bench, _, _ in
            let parameters = bench.getAssertionParameters()
            let assertion = try BenchAssertion(try await bench.send(.getAssertion, parameters), bench)
            let names = ["name", "displayName", "icon"].filter { assertion.user?[CBOR.Value.text($0)] != nil }
            bench.expect(names.isEmpty, "the user handle alone", seen: names.joined(separator: ", "))
        }
        several("otherParty", "Another relying party finds none of the accounts.", .ctap("6.2.2", step: "7"), 1) {
            bench, _, _ in
            let parameters = try await bench.authorized(
                getAssertion: bench.getAssertionParameters("other.\(bench.relyingPartyID)"), verified: false)
            bench.expect(try await bench.send(.getAssertion, parameters), .noCredentials)
        }
    }

    /// A case with some discoverable credentials of its relying party, the oldest first.
    private static func several(
        _ name: String, _ title: String, _ clause: Clause, _ count: Int, needs: [AuthenticatorNeed] = [],
        _ perform: @escaping @Sendable (AuthenticatorBench, [BenchCredential], inout CBOR.Map) async throws -> Void
    ) -> Case {
        Case(
            "getAssertion.\(name)", title, clause, needs: [.ctap2, .discoverableCredentials] + needs,
            effects: needs.contains(.pin) ? [.addsCredential, .changesPIN] : [.addsCredential],
            person: Array(repeating: .touch, count: count + 1)
        ) { bench in
            var made: [BenchCredential] = []
            for _ in 0..<count {
                made.append(try await bench.newCredential(CredentialRequest(discoverable: true)))
            }
            var parameters = try await bench.authorized(getAssertion: bench.getAssertionParameters(), verified: false)
            try await perform(bench, made, &parameters)
        }
    }

    /// The first assertion; its refusal is a finding of getAssertion.discovered.
    @discardableResult
    private static func begun(
        _ bench: AuthenticatorBench, _ parameters: CBOR.Map
    ) async throws -> BenchAssertion {
        let answer = try await bench.record.preparing("the first assertion") {
            let answer = try await bench.send(.getAssertion, parameters)
            try bench.require(answer, .ok)
            return answer
        }
        return try BenchAssertion(answer, bench)
    }
}
