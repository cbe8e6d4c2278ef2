internal import CBOR
internal import CTAP
internal import Conformance
internal import WebAuthn

extension GetAssertionCases {
    /// Values of parameters at and beyond their limits.
    @CaseTable static var parameters: [Case] {
        changed("plain", "The authenticator signs with a credential of its own.", .ctap("6.2.2"), gives: [.ok]) {
            _, _, _ in
        }
        for length in [0, 31, 33] {
            request(
                "clientDataHash.\(length)", "The authenticator refuses a clientDataHash of \(length) bytes.",
                .ctap("6.2"), level: .should, person: []
            ) { bench, _, parameters in
                parameters[2] = .bytes(bench.randomBytes(length))
                let signed = try await bench.authorized(getAssertion: parameters, verified: false)
                bench.expect(
                    try await bench.send(.getAssertion, signed),
                    anyOf: AuthenticatorSuite.formRefusals + [.pinAuthInvalid])
            }
        }
        changed(
            "unknownParameter", "The authenticator ignores an unknown parameter.", .ctap("8"), gives: [.ok]
        ) { _, _, parameters in parameters[0x7E] = "unknown" }
        changed(
            "extensions.unknown", "The authenticator ignores an unknown extension.", .ctap("6.2.2", step: "10"),
            gives: [.ok]
        ) { _, _, parameters in parameters[4] = ["example.unknown": ["a": 1]] }
        request("extensions.unknownOutput", "An unknown extension has no output.", .ctap("6.2.2", step: "10")) {
            bench, _, parameters in
            parameters[4] = ["example.unknown": true]
            let assertion = try BenchAssertion(try await bench.send(.getAssertion, parameters), bench)
            let output: CBOR.Value? = assertion.data.extensions?["example.unknown"]
            bench.expect(output == nil, "no output", seen: "\(output ?? .null)")
        }
    }

    /// The allow list (CTAP 2.3 §6.2.2 step 7).
    @CaseTable static var allowList: [Case] {
        allowing("match", "The authenticator signs with a credential of the list.", gives: [.ok]) { _, credential in
            [credential]
        }
        allowing("matchAmongOthers", "The authenticator finds its credential among others.", gives: [.ok]) {
            bench, credential in [MakeCredentialCases.unknown(bench), credential, MakeCredentialCases.unknown(bench)]
        }
        allowing("twice", "The authenticator signs where the list has a credential twice.", gives: [.ok]) {
            _, credential in [credential, credential]
        }
        allowing(
            "unknown", "The authenticator refuses a list without a credential of its own.", gives: [.noCredentials]
        ) { bench, _ in [MakeCredentialCases.unknown(bench)] }
        allowing(
            "shortID", "The authenticator refuses a credential ID of one byte that is not its own.",
            gives: [.noCredentials]
        ) { bench, _ in [MakeCredentialCases.unknown(bench, length: 1)] }
        allowing(
            "changedID", "The authenticator refuses the ID of its credential with one bit changed.",
            gives: [.noCredentials]
        ) { _, credential in
            changed(credential) { map in
                guard case .bytes(var id)? = map["id"], !id.isEmpty else { return }
                id[id.count - 1] ^= 1
                map["id"] = .bytes(id)
            }
        }
        allowing(
            "truncatedID", "The authenticator refuses the beginning of its credential's ID.", gives: [.noCredentials]
        ) { _, credential in
            changed(credential) { map in
                if case .bytes(let id)? = map["id"] { map["id"] = .bytes(Array(id.dropLast())) }
            }
        }
        allowing(
            "unknownType", "The authenticator passes over descriptors of an unknown type.", level: .should,
            gives: [.noCredentials]
        ) { _, credential in changed(credential) { $0["type"] = "unknown" } }
        allowing("transports", "The transports in a descriptor do not hide its credential.", gives: [.ok]) {
            _, credential in changed(credential) { $0["transports"] = ["nfc", "example"] }
        }
        allowing("unknownMember", "An unknown member of a descriptor does not hide its credential.", gives: [.ok]) {
            _, credential in changed(credential) { $0["unknown"] = 1 }
        }
        request(
            "allowList.otherParty", "The authenticator does not sign with the credential of another relying party.",
            .ctap("6.2.2", step: "7")
        ) { bench, credential, _ in
            var parameters = bench.getAssertionParameters()
            parameters[3] = [credential.descriptor]
            parameters[5] = ["up": false]
            bench.expect(try await bench.send(.getAssertion, parameters), .noCredentials)
        }
        request(
            "allowList.absent", "A credential that is not discoverable does not answer without a list.",
            .ctap("6.2.2", step: "7")
        ) { bench, credential, parameters in
            parameters[3] = nil
            bench.expect(try await bench.send(.getAssertion, parameters), .noCredentials)
        }
        request(
            "allowList.tooLong",
            "The authenticator refuses a list with more credentials than maxCredentialCountInList.",
            .ctap("6.2.2", step: "7"), level: .should, needs: [.member(.maxCredentialCountInList)], person: []
        ) { bench, _, parameters in
            let count = (bench.info.maxCredentialCountInList ?? 8) + 1
            parameters[3] = .array((0..<count).map { _ in MakeCredentialCases.unknown(bench, length: 16) })
            bench.expect(
                try await bench.send(.getAssertion, parameters), .limitExceeded, .requestTooLarge,
                for: "a list of \(count) credentials")
        }
        request(
            "allowList.longest", "The authenticator finds its credential at the end of the longest list.",
            .ctap("6.2.2", step: "7"), needs: [.member(.maxCredentialCountInList)]
        ) { bench, credential, parameters in
            let count = bench.info.maxCredentialCountInList ?? 8
            parameters[3] = .array(
                (1..<max(2, count)).map { _ in MakeCredentialCases.unknown(bench, length: 16) }
                    + [credential.descriptor])
            bench.expect(try await bench.send(.getAssertion, parameters), .ok, for: "a list of \(count) credentials")
        }
    }

    static func changed(_ credential: CBOR.Value, _ change: (inout CBOR.Map) -> Void) -> [CBOR.Value] {
        guard case .map(var map) = credential else { return [credential] }
        change(&map)
        return [.map(map)]
    }

    private static func allowing(
        _ name: String, _ title: String, level: Level = .must, gives statuses: [CTAPStatus],
        _ list: @escaping @Sendable (AuthenticatorBench, CBOR.Value) -> [CBOR.Value]
    ) -> Case {
        changed("allowList.\(name)", title, .ctap("6.2.2", step: "7"), level: level, gives: statuses) {
            bench, credential, parameters in parameters[3] = .array(list(bench, credential.descriptor))
        }
    }

    /// The options (CTAP 2.3 §6.2.2 step 4) and the user's touch (step 9).
    @CaseTable static var options: [Case] {
        for value in [true, false] {
            changed(
                "options.rk.\(value)", "The authenticator refuses the option rk with the value \(value).",
                .ctap("6.2.2", step: "4"), level: .must, needs: [.ctap21], person: [],
                gives: [.unsupportedOption, .invalidOption]
            ) { _, _, parameters in parameters[5] = ["rk": .bool(value)] }
        }
        changed(
            "options.up.true", "The authenticator accepts the option up with the value true.",
            .ctap("6.2.2", step: "4"), gives: [.ok]
        ) { _, _, parameters in parameters[5] = ["up": true] }
        changed(
            "options.uv.false", "The authenticator accepts the option uv with the value false.",
            .ctap("6.2.2", step: "4"), gives: [.ok]
        ) { _, _, parameters in parameters[5] = ["uv": false] }
        changed(
            "options.unknown", "The authenticator ignores an unknown option.", .ctap("6.2.2", step: "4"), gives: [.ok]
        ) { _, _, parameters in parameters[5] = ["unknown": true] }
        request(
            "options.uv.unsupported", "An authenticator without built-in verification refuses the option uv.",
            .ctap("6.2.2", step: "4"), needs: [.optionOff(.uv)], person: []
        ) { bench, credential, _ in
            var parameters = bench.getAssertionParameters(allowing: [credential])
            parameters[5] = ["uv": true]
            bench.expect(try await bench.send(.getAssertion, parameters), .invalidOption, .unsupportedOption)
        }
        request(
            "silent.signs", "With the option up false, the authenticator signs without a touch, and UP is 0.",
            .ctap("6.2.2", step: "9"), needs: [.optionOff(.alwaysUv)], person: []
        ) { bench, credential, _ in
            var parameters = bench.getAssertionParameters(allowing: [credential])
            parameters[5] = ["up": false]
            let answer = try await bench.send(.getAssertion, parameters)
            bench.expect(!answer.askedForUser, "no request for the user", seen: "STATUS_UPNEEDED")
            let assertion = try BenchAssertion(answer, bench)
            bench.expect(
                !assertion.data.flags.contains(.userPresent), "UP 0",
                seen: "the flags \(assertion.data.flags.abbreviations)")
            bench.expect(assertion.verifies(credential, parameters), "a valid signature", seen: "another")
        }
        request(
            "silent.unknown", "With the option up false, the authenticator refuses an unknown credential silently.",
            .ctap("6.2.2", step: "7"), needs: [.optionOff(.alwaysUv)], person: []
        ) { bench, _, _ in
            var parameters = bench.getAssertionParameters()
            parameters[3] = [MakeCredentialCases.unknown(bench)]
            parameters[5] = ["up": false]
            let answer = try await bench.send(.getAssertion, parameters)
            bench.expect(answer, .noCredentials)
            bench.expect(!answer.askedForUser, "no request for the user", seen: "STATUS_UPNEEDED")
        }
        request(
            "presence.asked", "The authenticator asks for a touch.", .ctap("6.2.2", step: "9"), needs: [.touchRequests]
        ) { bench, _, parameters in
            let answer = try await bench.send(.getAssertion, parameters)
            try bench.require(answer, .ok)
            try bench.expectTouchRequest(before: answer)
        }
        request(
            "presence.withheld", "The authenticator does not sign without a touch.", .ctap("6.2.2", step: "9"),
            needs: [.optionOff(.uv)], person: [.withholdTouch]
        ) { bench, _, parameters in
            try await bench.user(.withholdTouch)
            bench.expect(try await bench.send(.getAssertion, parameters), .operationDenied, .userActionTimeout)
        }
        request(
            "presence.declined", "The authenticator does not sign when the user declines.",
            .ctap("6.2.2", step: "9"), needs: [.simulatedDevice, .optionOff(.uv)], person: []
        ) { bench, _, parameters in
            try await bench.userDeclines()
            bench.expect(try await bench.send(.getAssertion, parameters), .operationDenied)
        }
        request(
            "presence.cancelled", "The authenticator ends the request when the platform cancels it.",
            .ctap("11.2.9.1.5"), person: [.withholdTouch]
        ) { bench, _, parameters in
            bench.expect(try await bench.send(.getAssertion, parameters, cancelling: true), .keepaliveCancel)
        }
    }
}
