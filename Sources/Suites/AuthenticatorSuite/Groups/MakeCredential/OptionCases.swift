internal import CBOR
internal import CTAP
internal import Conformance

extension MakeCredentialCases {
    /// The options (CTAP 2.3 §6.1.2 step 5).
    @CaseTable static var options: [Case] {
        changed(
            "options.up.false", "The authenticator refuses the option up with the value false.",
            .ctap("6.1.2", step: "5"), gives: [.invalidOption]
        ) { _, parameters in set("up", false, in: &parameters) }
        changed(
            "options.up.true", "The authenticator accepts the option up with the value true.",
            .ctap("6.1.2", step: "5"), needs: [.ctap21], person: [.touch], gives: [.ok]
        ) { _, parameters in set("up", true, in: &parameters) }
        changed(
            "options.unknown", "The authenticator ignores an unknown option.", .ctap("6.1.2", step: "5"),
            person: [.touch], gives: [.ok]
        ) { _, parameters in set("unknown", true, in: &parameters) }
        request(
            "options.uv.false", "The authenticator accepts the option uv with the value false.",
            .ctap("6.1.2", step: "5"), person: [.touch]
        ) { bench, parameters in
            guard parameters[7] == nil || bench.has(.makeCredUvNotRqd) else {
                throw CaseStop.notApplicable("the authenticator makes no credential without the option uv")
            }
            parameters[7] = ["uv": false]
            bench.expect(try await bench.send(.makeCredential, parameters), .ok)
        }
        changed(
            "options.uv.withParam", "A pinUvAuthParam makes the authenticator ignore the option uv.",
            .ctap("6.1.2", step: "5"), from: .pin, needs: [.optionOn(.pinUvAuthToken)], person: [.touch], gives: [.ok]
        ) { _, parameters in set("uv", true, in: &parameters) }
        request(
            "options.rk.false", "The authenticator makes no discoverable credential with the option rk false.",
            .ctap("6.1.2", step: "17"), needs: [.optionOff(.plat)], person: [.touch, .touch]
        ) { bench, parameters in
            set("rk", false, in: &parameters)
            try bench.require(try await bench.send(.makeCredential, parameters), .ok)
            bench.expectRefusal(
                try await bench.send(.getAssertion, bench.getAssertionParameters()),
                of: "a GetAssertion without a list")
        }
        request(
            "options.rk.true", "The authenticator makes a discoverable credential with the option rk true.",
            .ctap("6.1.2", step: "17"), person: [.touch, .touch], requested: CredentialRequest(discoverable: true)
        ) { bench, parameters in
            let made = try bench.note(try await bench.send(.makeCredential, parameters), of: parameters)
            let assertion = try await bench.authorized(getAssertion: bench.getAssertionParameters(), verified: false)
            let response = try bench.response(try await bench.send(.getAssertion, assertion))
            let credential = try bench.map(response, 1, "credential (0x01)")
            bench.expect(
                credential["id"] == .bytes(made.id), "the new credential", seen: "\(credential["id"] ?? .null)")
        }
    }

    /// Sets an option beside the one by which the user is verified.
    private static func set(_ option: String, _ value: Bool, in parameters: inout CBOR.Map) {
        var options: CBOR.Map = [:]
        if case .map(let given)? = parameters[7] { options = given }
        options[.text(option)] = .bool(value)
        parameters[7] = .map(options)
    }

    /// Accounts with several credentials.
    @CaseTable static var accounts: [Case] {
        Case(
            "makeCredential.account.replaced",
            "A new discoverable credential replaces the account's earlier one at the relying party.",
            .ctap("6.1.2", step: "17"), needs: [.ctap2, .discoverableCredentials], effects: [.addsCredential],
            person: [.touch, .touch, .touch]
        ) { bench in
            let requested = CredentialRequest(discoverable: true, userID: bench.randomBytes(16))
            let first = try await bench.newCredential(requested)
            let second = try await bench.newCredential(requested)
            bench.expect(first.id != second.id, "another credential ID", seen: "the same")
            let parameters = try await bench.authorized(getAssertion: bench.getAssertionParameters(), verified: false)
            let response = try bench.response(try await bench.send(.getAssertion, parameters))
            bench.expect(response[5] == nil, "one credential", seen: "\(response[5] ?? .null) credentials")
            let credential = try bench.map(response, 1, "credential (0x01)")
            bench.expect(credential["id"] == .bytes(second.id), "the newer credential", seen: "the older one")
        }
        Case(
            "makeCredential.account.replacedUnusable", "A replaced credential no longer signs.",
            .ctap("6.1.2", step: "17"), needs: [.ctap2, .discoverableCredentials], effects: [.addsCredential],
            person: [.touch, .touch, .touch]
        ) { bench in
            let requested = CredentialRequest(discoverable: true, userID: bench.randomBytes(16))
            let first = try await bench.newCredential(requested)
            _ = try await bench.newCredential(requested)
            let parameters = try await bench.authorized(
                getAssertion: bench.getAssertionParameters(allowing: [first]), verified: false)
            bench.expectRefusal(
                try await bench.send(.getAssertion, parameters), of: "an assertion with the replaced credential")
        }
        Case(
            "makeCredential.account.nonDiscoverableKeeps",
            "A credential that is not discoverable replaces no discoverable credential of the account.",
            .ctap("6.1.2", step: "17"), needs: [.ctap2, .discoverableCredentials, .optionOff(.plat)],
            effects: [.addsCredential], person: [.touch, .touch, .touch, .touch]
        ) { bench in
            var requested = CredentialRequest(discoverable: true, userID: bench.randomBytes(16))
            let first = try await bench.newCredential(requested)
            requested.isDiscoverable = false
            let second = try await bench.newCredential(requested)
            let parameters = try await bench.authorized(getAssertion: bench.getAssertionParameters(), verified: false)
            let response = try bench.response(try await bench.send(.getAssertion, parameters))
            let credential = try bench.map(response, 1, "credential (0x01)")
            guard credential["id"] != .bytes(second.id) else {
                throw CaseStop.notRun("the authenticator makes a discoverable credential with the option rk false")
            }
            bench.expect(
                credential["id"] == .bytes(first.id), "the discoverable credential",
                seen: "\(credential["id"] ?? .null)")
            let listed = try await bench.authorized(
                getAssertion: bench.getAssertionParameters(allowing: [first]), verified: false)
            bench.expect(try await bench.send(.getAssertion, listed), .ok)
        }
        Case(
            "makeCredential.account.others", "A discoverable credential of another account stays.",
            .ctap("6.1.2", step: "17"), needs: [.ctap2, .discoverableCredentials], effects: [.addsCredential],
            person: [.touch, .touch, .touch]
        ) { bench in
            let first = try await bench.newCredential(CredentialRequest(discoverable: true))
            _ = try await bench.newCredential(CredentialRequest(discoverable: true))
            let parameters = try await bench.authorized(
                getAssertion: bench.getAssertionParameters(allowing: [first]), verified: false)
            bench.expect(try await bench.send(.getAssertion, parameters), .ok)
        }
        Case(
            "makeCredential.account.otherParty", "The same user handle at another relying party is another account.",
            .ctap("6.1.2", step: "17"), needs: [.ctap2, .discoverableCredentials], effects: [.addsCredential],
            person: [.touch, .touch, .touch]
        ) { bench in
            var requested = CredentialRequest(discoverable: true, userID: bench.randomBytes(16))
            let first = try await bench.newCredential(requested)
            requested.relyingPartyID = "other.\(bench.relyingPartyID)"
            _ = try await bench.newCredential(requested)
            let parameters = try await bench.authorized(
                getAssertion: bench.getAssertionParameters(allowing: [first]), verified: false)
            bench.expect(try await bench.send(.getAssertion, parameters), .ok)
        }
    }

    /// The store for discoverable credentials (CTAP 2.3 §6.1.2 step 16).
    @CaseTable static var room: [Case] {
        Case(
            "makeCredential.account.full",
            "A discoverable credential more than the authenticator has room for is refused.",
            .ctap("6.1.2", step: "16"), from: .freshPIN,
            needs: [.simulatedDevice, .discoverableCredentials, .member(.remainingDiscoverableCredentials)],
            effects: [.changesSettings]
        ) { bench in
            let room = try await bench.readInfo().remainingDiscoverableCredentials ?? 0
            guard room <= 150 else { throw CaseStop.notRun("the authenticator has room for more than 150 credentials") }
            for _ in 0..<room { _ = try await bench.makeAny(discoverable: true) }
            let requested = CredentialRequest(discoverable: true)
            let request = try await bench.authorized(
                makeCredential: bench.makeCredentialParameters(requested), verified: false)
            bench.expect(try await bench.send(.makeCredential, request), .keyStoreFull)
        }
    }

    /// The user's touch (CTAP 2.3 §6.1.2 step 14).
    @CaseTable static var presence: [Case] {
        request(
            "presence.asked", "The authenticator asks for a touch.", .ctap("6.1.2", step: "14"),
            needs: [.touchRequests], person: [.touch]
        ) { bench, parameters in
            let answer = try await bench.send(.makeCredential, parameters)
            try bench.require(answer, .ok)
            // Verification at the sensor is also a touch.
            try bench.expectTouchRequest(before: answer)
        }
        request(
            "presence.withheld", "The authenticator makes no credential without a touch.",
            .ctap("6.1.2", step: "14"), needs: [.optionOff(.uv)], person: [.withholdTouch]
        ) { bench, parameters in
            try await bench.user(.withholdTouch)
            bench.expect(
                try await bench.send(.makeCredential, parameters), .operationDenied, .userActionTimeout,
                for: "a request without touch")
        }
        request(
            "presence.declined", "The authenticator makes no credential when the user declines.",
            .ctap("6.1.2", step: "14"), needs: [.simulatedDevice, .optionOff(.uv)]
        ) { bench, parameters in
            try await bench.userDeclines()
            bench.expect(try await bench.send(.makeCredential, parameters), .operationDenied)
        }
        request(
            "presence.cancelled", "The authenticator ends the request when the platform cancels it.",
            .ctap("11.2.9.1.5"), person: [.withholdTouch]
        ) { bench, parameters in
            bench.expect(
                try await bench.send(.makeCredential, parameters, cancelling: true), .keepaliveCancel,
                for: "a cancelled request")
        }
        request(
            "presence.nothingMade", "A request without a touch leaves no discoverable credential.",
            .ctap("6.1.2", step: "14"), needs: [.optionOff(.uv)], person: [.withholdTouch],
            requested: CredentialRequest(discoverable: true)
        ) { bench, parameters in
            try await bench.user(.withholdTouch)
            bench.expectRefusal(try await bench.send(.makeCredential, parameters), of: "a request without touch")
            bench.expectRefusal(
                try await bench.send(.getAssertion, bench.getAssertionParameters()), of: "a GetAssertion afterwards")
        }
    }
}
