internal import CBOR
internal import CTAP
internal import Conformance
internal import WebAuthn

extension MakeCredentialCases {
    private static let clause = Clause.ctap("6.1.2", step: "11")

    /// A case that has a token of these permissions, and parameters with its code over the client data hash.
    private static func withToken(
        _ name: String, _ title: String, _ clause: Clause, _ permissions: PINUVAuthTokenPermissions = .makeCredential,
        needs: [AuthenticatorNeed] = [], person: [ManualAct] = [], gives statuses: [CTAPStatus],
        _ change: @escaping @Sendable (AuthenticatorBench, PINClient.Token, inout CBOR.Map) -> Void
    ) -> Case {
        Case(
            "makeCredential.\(name)", title, clause,
            needs: [.ctap2, .pin, .optionOff(.noMcGaPermissionsWithClientPin)] + needs, effects: [.changesPIN],
            person: person
        ) { bench in
            let id = permissions.isDisjoint(with: [.makeCredential, .getAssertion]) ? nil : bench.relyingPartyID
            let token = try await bench.clientToken(permissions, relyingPartyID: id)
            var parameters = bench.makeCredentialParameters()
            if case .bytes(let hash)? = parameters[1] {
                parameters[8] = .bytes(token.authenticate(hash))
                parameters[9] = .integer(token.pinProtocol.rawValue)
            }
            change(bench, token, &parameters)
            bench.expect(try await bench.send(.makeCredential, parameters), anyOf: statuses)
        }
    }

    /// pinUvAuthParam and its absence (CTAP 2.3 §6.1.2 steps 1, 2, 8 and 11).
    @CaseTable static var authorisation: [Case] {
        withToken(
            "pinUvAuthParam.valid", "The authenticator accepts the code of a token with the permission mc.", clause,
            person: [.touch], gives: [.ok]
        ) { _, _, _ in }
        withToken("pinUvAuthParam.wrong", "The authenticator refuses a wrong code.", clause, gives: [.pinAuthInvalid]) {
            bench, token, parameters in parameters[8] = .bytes(bench.randomBytes(token.pinProtocol == .one ? 16 : 32))
        }
        withToken(
            "pinUvAuthParam.short", "The authenticator refuses a code that is too short.", clause,
            gives: [.pinAuthInvalid, .invalidParameter, .invalidLength]
        ) { _, _, parameters in
            if case .bytes(let code)? = parameters[8] { parameters[8] = .bytes(Array(code.dropLast(8))) }
        }
        withToken(
            "pinUvAuthParam.otherHash", "The authenticator refuses the code of another client data hash.", clause,
            gives: [.pinAuthInvalid]
        ) { bench, _, parameters in parameters[1] = .bytes(bench.randomBytes(32)) }
        withToken(
            "pinUvAuthParam.withoutProtocol", "The authenticator refuses a code without its protocol.",
            .ctap("6.1.2", step: "2"), gives: [.missingParameter]
        ) { _, _, parameters in parameters[9] = nil }
        withToken(
            "pinUvAuthProtocol.unknown", "The authenticator refuses an unknown PIN/UV auth protocol.",
            .ctap("6.1.2", step: "2"), gives: [.invalidParameter, .pinAuthInvalid]
        ) { _, _, parameters in parameters[9] = 9 }
        withToken(
            "permission.ga", "The authenticator refuses a token that has the permission ga alone.", clause,
            .getAssertion, needs: [.optionOn(.pinUvAuthToken)], gives: [.pinAuthInvalid]
        ) { _, _, _ in }
        withToken(
            "permission.cm", "The authenticator refuses a token that has the permission cm alone.", clause,
            .credentialManagement, needs: [.optionOn(.pinUvAuthToken), .optionOn(.credMgmt)], gives: [.pinAuthInvalid]
        ) { _, _, _ in }
        withToken(
            "permission.otherParty", "The authenticator refuses a token of another relying party.", clause,
            needs: [.optionOn(.pinUvAuthToken)], gives: [.pinAuthInvalid]
        ) { bench, _, parameters in parameters[2] = ["id": .text("other.\(bench.relyingPartyID)")] }
        EmptyCode.makeCredential.cases(of: "makeCredential")
        Case(
            "makeCredential.withoutToken.builtIn",
            "Where no token of a PIN makes credentials, a registration without user verification is denied.",
            .ctap("6.1.2", step: "8"), from: .uv,
            needs: [.ctap21, .builtInVerification, .optionOff(.makeCredUvNotRqd), .optionOff(.alwaysUv)]
        ) { bench in
            guard !bench.has(.clientPin) || bench.has(.noMcGaPermissionsWithClientPin) else {
                throw CaseStop.notApplicable("a token of the PIN makes credentials")
            }
            bench.expect(try await bench.send(.makeCredential, bench.makeCredentialParameters()), .operationDenied)
        }
        Case(
            "makeCredential.withoutToken.discoverable",
            "A protected authenticator makes no discoverable credential without user verification.",
            .ctap("6.1.2", step: "8"),
            needs: [.ctap2, .pin, .optionOn(.rk), .optionOff(.noMcGaPermissionsWithClientPin)],
            effects: [.changesPIN]
        ) { bench in
            try await bench.ensurePIN()
            let parameters = bench.makeCredentialParameters(CredentialRequest(discoverable: true))
            bench.expect(try await bench.send(.makeCredential, parameters), .puatRequired)
        }
        Case(
            "makeCredential.withoutToken.allowed",
            "With makeCredUvNotRqd, a protected authenticator makes other credentials without user verification.",
            .ctap("6.1.2", step: "9"),
            needs: [.ctap2, .pin, .optionOn(.makeCredUvNotRqd), .optionOff(.alwaysUv)],
            effects: [.changesPIN], person: [.touch]
        ) { bench in
            try await bench.ensurePIN()
            let parameters = bench.makeCredentialParameters()
            let made = try bench.note(try await bench.send(.makeCredential, parameters), of: parameters)
            bench.expect(!made.authenticatorData.flags.contains(.userVerified), "UV 0", seen: "UV 1")
        }
        Case(
            "makeCredential.withoutToken.refused",
            "Without makeCredUvNotRqd, a protected authenticator makes no credential without user verification.",
            .ctap("6.1.2", step: "8"),
            needs: [
                .ctap21, .pin, .optionOff(.makeCredUvNotRqd), .optionOff(.noMcGaPermissionsWithClientPin),
            ], effects: [.changesPIN]
        ) { bench in
            try await bench.ensurePIN()
            bench.expect(try await bench.send(.makeCredential, bench.makeCredentialParameters()), .puatRequired)
        }
    }

    /// Enterprise attestation (CTAP 2.3 §6.1.2 step 9, §7.1).
    @CaseTable static var enterprise: [Case] {
        for value in [1, 2] {
            changed(
                "enterpriseAttestation.absent.\(value)",
                "An authenticator without enterprise attestation refuses the request \(value) for it.",
                .ctap("6.1.2", step: "9"), needs: [.ctap21, .optionAbsent(.ep)], gives: [.invalidParameter]
            ) { _, parameters in parameters[0x0A] = .integer(value) }
        }
        for value in [1, 2] {
            Case(
                "makeCredential.enterpriseAttestation.off.\(value)",
                "An authenticator whose enterprise attestation is off refuses the request \(value) for it.",
                .ctap("6.1.2", step: "9"), needs: [.ctap21, .credentials, .option(.ep), .optionOff(.ep)]
            ) { bench in
                var parameters = try await bench.authorized(makeCredential: bench.makeCredentialParameters())
                parameters[0x0A] = .integer(value)
                bench.expect(try await bench.send(.makeCredential, parameters), .invalidParameter)
            }
        }
        for value in [0, 3, 255] {
            enabled("value.\(value)", "The authenticator refuses enterpriseAttestation \(value).", []) {
                bench, parameters in
                bench.expect(try await bench.send(.makeCredential, parameters(value)), .invalidOption)
            }
        }
        enabled(
            "vendor.unlisted",
            "A vendor-facilitated request of an unlisted relying party gets no enterprise attestation.", [.touch]
        ) { bench, parameters in
            let response = try bench.response(try await bench.send(.makeCredential, parameters(1)))
            bench.expect(response[4] != true, "no epAtt, or false", seen: "true")
        }
        enabled(
            "platform", "A platform-managed request makes a credential, with or without enterprise attestation.",
            [.touch]
        ) { bench, parameters in
            let response = try bench.response(try await bench.send(.makeCredential, parameters(2)))
            if let value = response[4] {
                bench.expect(value.kind == .boolean, "epAtt as a boolean", seen: "\(value)")
            }
        }
    }

    private typealias Parameters = @Sendable (Int) -> CBOR.Map

    private static func enabled(
        _ name: String, _ title: String, _ person: [ManualAct],
        _ perform: @escaping @Sendable (AuthenticatorBench, Parameters) async throws -> Void
    ) -> Case {
        Case(
            "makeCredential.enterpriseAttestation.\(name)", title, .ctap("6.1.2", step: "9"),
            needs: [.ctap21, .pin, .option(.ep), .optionOn(.authnrCfg)], effects: [.changesSettings, .changesPIN],
            person: person, resets: false
        ) { bench in
            if !bench.has(.ep) {
                let token = try await bench.clientToken(.authenticatorConfiguration)
                let code = token.authenticate([UInt8](repeating: 0xFF, count: 32) + [0x0D, 0x01])
                let answer = try await bench.send(
                    .config, [1: 1, 3: .integer(token.pinProtocol.rawValue), 4: .bytes(code)])
                try bench.require(answer, .ok, for: "enableEnterpriseAttestation")
                try await bench.readInfo()
            }
            let base = try await bench.authorized(makeCredential: bench.makeCredentialParameters())
            try await perform(bench) { value in
                var parameters = base
                parameters[0x0A] = .integer(value)
                return parameters
            }
        }
    }
}
