internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance
internal import WebAuthn

extension GetAssertionCases {
    /// A case that looks at the assertion of a valid request.
    private static func signed(
        _ name: String, _ title: String, _ clause: Clause, level: Level = .must, needs: [AuthenticatorNeed] = [],
        _ look: @escaping @Sendable (AuthenticatorBench, BenchCredential, CBOR.Map, BenchAssertion) throws -> Void
    ) -> Case {
        request(name, title, clause, level: level, needs: needs) { bench, credential, parameters in
            let answer = try await bench.send(.getAssertion, parameters)
            try look(bench, credential, parameters, try BenchAssertion(answer, bench))
        }
    }

    private static func flag(
        _ name: String, _ title: String, _ clause: Clause, _ holds: @escaping @Sendable (AuthenticatorDataFlags) -> Bool
    ) -> Case {
        signed("flags.\(name)", title, clause) { bench, _, _, assertion in
            let flags = assertion.data.flags
            bench.expect(
                holds(flags), title, seen: "the flags \(flags.abbreviations) (0x\(String(flags.rawValue, radix: 16)))")
        }
    }

    /// The response (CTAP 2.3 §6.2.2, WebAuthn L3 §6.1, §6.3.3).
    @CaseTable static var response: [Case] {
        request("data", "authData has the form that its flags announce, and nothing more.", .webauthn("6.1")) {
            bench, _, parameters in
            let response = try bench.response(try await bench.send(.getAssertion, parameters))
            let bytes = try bench.bytes(response, 2, "authData (0x02)")
            do {
                _ = try AuthenticatorData(parsing: bytes)
            } catch {
                throw bench.fail("authenticator data", seen: "\(error)")
            }
        }
        flag("up", "UP is 1 after a touch.", .webauthn("6.1")) { $0.contains(.userPresent) }
        flag("at", "AT is 0 in an assertion.", .webauthn("6.1")) { !$0.contains(.attestedCredentialData) }
        flag("ed", "ED is 0 without extension outputs.", .webauthn("6.1")) { !$0.contains(.extensionData) }
        flag("backup", "BS is 0 unless BE is 1.", .webauthn("6.1.3")) {
            $0.contains(.backupEligible) || !$0.contains(.backupState)
        }
        flag("reserved", "The reserved bits 1 and 5 are 0.", .webauthn("6.1")) { $0.rawValue & 0x22 == 0 }
        signed("flags.backupEligible", "BE is that of the registration.", .webauthn("6.1.3")) {
            bench, credential, _, assertion in
            let (then, now) = (credential.authenticatorData.flags, assertion.data.flags)
            bench.expect(
                then.contains(.backupEligible) == now.contains(.backupEligible), "BE as at the registration",
                seen: "\(then.abbreviations), then \(now.abbreviations)")
        }
        signed("length", "authData has 37 bytes without extension outputs.", .webauthn("6.1")) {
            bench, _, _, assertion in
            guard !assertion.data.flags.contains(.extensionData) else { return }
            bench.expect(assertion.bytes.count == 37, "37 bytes", seen: "\(assertion.bytes.count)")
        }
        signed("rpIdHash", "authData begins with the hash of the RP ID.", .webauthn("6.1")) {
            bench, credential, _, assertion in
            let expected = sha256(Array(credential.relyingPartyID.utf8))
            bench.expect(
                assertion.data.relyingPartyIDHash == expected, Hex.encode(expected),
                seen: Hex.encode(assertion.data.relyingPartyIDHash))
        }
        signed("credential", "The response names the credential.", .ctap("6.2.2", step: "12"), needs: [.ctap21]) {
            bench, credential, _, assertion in
            let id = try bench.credentialID(in: assertion.response)
            bench.expect(id == credential.id, "the credential's ID", seen: Hex.encode(id))
        }
        signed("credential.type", "The credential of the response has the type public-key.", .ctap("6.2.2")) {
            bench, _, _, assertion in
            guard assertion.response[1] != nil else {
                throw CaseStop.notApplicable("the response leaves the credential out, as the only one of the list")
            }
            let descriptor = try bench.map(assertion.response, 1, "credential (0x01)")
            bench.expect(descriptor["type"] == "public-key", "public-key", seen: "\(descriptor["type"] ?? .null)")
        }
        signed("withoutCount", "numberOfCredentials is absent where a list was given.", .ctap("6.2.2", step: "11")) {
            bench, _, _, assertion in
            bench.expect(
                assertion.response[5] == nil || assertion.response[5] == 1, "nothing",
                seen: "\(assertion.response[5] ?? .null)")
        }
        signed("withoutSelection", "userSelected is absent where a list was given.", .ctap("6.2.2", step: "12")) {
            bench, _, _, assertion in bench.expect(assertion.response[6] != true, "nothing", seen: "true")
        }
        signed("withoutLargeBlobKey", "largeBlobKey is absent where none was requested.", .ctap("12.3")) {
            bench, _, _, assertion in bench.expect(assertion.response[7] == nil, "no largeBlobKey", seen: "one")
        }
        signed("withoutNames", "A response without user verification names no account.", .ctap("6.2.2", step: "12")) {
            bench, _, _, assertion in
            guard !assertion.data.flags.contains(.userVerified) else {
                throw CaseStop.notApplicable("the authenticator verified the user")
            }
            let names = ["name", "displayName", "icon"].filter { assertion.user?[CBOR.Value.text($0)] != nil }
            bench.expect(names.isEmpty, "the user handle at most", seen: names.joined(separator: ", "))
        }
        signed("members", "The response has members of the specification only.", .ctap("6.2.2"), level: .may) {
            bench, _, _, assertion in
            let known = Set((1...8).map { CBOR.Value.integer($0) })
            let unknown = assertion.response.keys.filter { !known.contains($0) }
            bench.expect(unknown.isEmpty, "members 0x01 to 0x08", seen: "\(unknown)")
        }
    }

    /// The algorithms whose signatures the bench verifies.
    static let algorithms: [COSE.Algorithm] = [
        .es256, .edDSA, .es384, .es512, .esp256, .esp384, .esp512, .ed25519, .ed448, .es256K, .rs256, .ps256, .mlDSA65,
        .mlDSA87,
    ]

    @CaseTable static var signatures: [Case] {
        for algorithm in algorithms {
            Case(
                "getAssertion.algorithm.\(algorithm)", "A key of the algorithm \(algorithm) signs the assertion.",
                .webauthn("6.3.3", step: "11"), needs: [.ctap2, .credentials, .algorithm(algorithm)],
                person: [.touch, .touch]
            ) { bench in
                let requested = CredentialRequest(algorithms: [algorithm])
                let credential = try await bench.newCredential(requested)
                let parameters = try await bench.authorized(
                    getAssertion: bench.getAssertionParameters(allowing: [credential]), verified: false)
                let assertion = try BenchAssertion(try await bench.send(.getAssertion, parameters), bench)
                bench.expect(
                    assertion.verifies(credential, parameters), "a signature of \(algorithm) over authData and hash",
                    seen: "\(assertion.signature.count) bytes that do not verify")
            }
        }
        signed("signature", "The signature is over authData and the client data hash.", .webauthn("6.3.3", step: "11"))
        { bench, credential, parameters, assertion in
            bench.expect(
                assertion.verifies(credential, parameters), "a signature of the credential's key",
                seen: "\(assertion.signature.count) bytes that do not verify")
        }
        Case(
            "getAssertion.counter.increases", "The counter increases with each assertion, or is always 0.",
            .webauthn("6.1.1"), needs: [.ctap2, .credentials], person: [.touch, .touch, .touch]
        ) { bench in
            // The count of a credential that others have used may be far behind the next one.
            let credential = try await bench.newCredential()
            var counts: [UInt32] = [credential.authenticatorData.signCount]
            for _ in 0..<2 {
                let parameters = try await bench.authorized(
                    getAssertion: bench.getAssertionParameters(allowing: [credential]), verified: false)
                counts.append(try BenchAssertion(try await bench.send(.getAssertion, parameters), bench).data.signCount)
            }
            let increases = zip(counts, counts.dropFirst()).allSatisfy { $0 < $1 }
            bench.expect(
                increases || counts.allSatisfy { $0 == 0 }, "increasing counts, or 0 always", seen: "\(counts)")
        }
        Case(
            "getAssertion.counter.powerCycle", "The counter does not decrease at a power cycle.", .webauthn("6.1.1"),
            needs: [.ctap2, .credentials, .powerCycle], person: [.touch, .touch, .replug, .touch]
        ) { bench in
            let credential = try await bench.newCredential()
            var counts: [UInt32] = []
            for restarts in [false, true] {
                if restarts { try await bench.powerCycle() }
                let parameters = try await bench.authorized(
                    getAssertion: bench.getAssertionParameters(allowing: [credential]), verified: false)
                let answer = try await bench.send(.getAssertion, parameters)
                guard answer.status == .ok else {
                    throw CaseStop.notRun("an assertion is refused with \(answer.seen)")
                }
                counts.append(try BenchAssertion(answer, bench).data.signCount)
            }
            bench.expect(counts[1] >= counts[0], "\(counts[0]) or more", seen: "\(counts[1])")
        }
        request(
            "counter.silent", "The counter does not decrease in a silent assertion.", .webauthn("6.1.1"),
            needs: [.optionOff(.alwaysUv)]
        ) { bench, credential, parameters in
            let first = try BenchAssertion(try await bench.send(.getAssertion, parameters), bench)
            var silent = bench.getAssertionParameters(allowing: [credential])
            silent[5] = ["up": false]
            let second = try BenchAssertion(try await bench.send(.getAssertion, silent), bench)
            bench.expect(
                second.data.signCount >= first.data.signCount, "\(first.data.signCount) or more",
                seen: "\(second.data.signCount)")
        }
    }

    /// A case that has a token of these permissions, and parameters that allow the shared credential.
    private static func withToken(
        _ name: String, _ title: String, _ permissions: PINUVAuthTokenPermissions = .getAssertion,
        needs: [AuthenticatorNeed] = [], person: [ManualAct] = [], gives statuses: [CTAPStatus],
        _ change: @escaping @Sendable (AuthenticatorBench, PINClient.Token, inout CBOR.Map) -> Void
    ) -> Case {
        Case(
            "getAssertion.\(name)", title, .ctap("6.2.2", step: "6"),
            needs: [.ctap2, .pin, .optionOff(.noMcGaPermissionsWithClientPin)] + needs, effects: [.changesPIN],
            person: person
        ) { bench in
            let credential = try await bench.sharedCredential()
            let isBound = !permissions.isDisjoint(with: [.makeCredential, .getAssertion])
            let token = try await bench.clientToken(
                permissions, relyingPartyID: isBound ? credential.relyingPartyID : nil)
            var parameters = bench.getAssertionParameters(allowing: [credential])
            if case .bytes(let hash)? = parameters[2] {
                parameters[6] = .bytes(token.authenticate(hash))
                parameters[7] = .integer(token.pinProtocol.rawValue)
            }
            change(bench, token, &parameters)
            bench.expect(try await bench.send(.getAssertion, parameters), anyOf: statuses)
        }
    }

    /// pinUvAuthParam (CTAP 2.3 §6.2.2 steps 1, 2 and 6).
    @CaseTable static var authorisation: [Case] {
        withToken(
            "pinUvAuthParam.valid", "The authenticator accepts the code of a token with the permission ga.",
            person: [.touch], gives: [.ok]
        ) { _, _, _ in }
        withToken("pinUvAuthParam.wrong", "The authenticator refuses a wrong code.", gives: [.pinAuthInvalid]) {
            bench, token, parameters in parameters[6] = .bytes(bench.randomBytes(token.pinProtocol == .one ? 16 : 32))
        }
        withToken(
            "pinUvAuthParam.short", "The authenticator refuses a code that is too short.",
            gives: [.pinAuthInvalid, .invalidParameter, .invalidLength]
        ) { _, _, parameters in
            if case .bytes(let code)? = parameters[6] { parameters[6] = .bytes(Array(code.dropLast(8))) }
        }
        withToken(
            "pinUvAuthParam.otherHash", "The authenticator refuses the code of another client data hash.",
            gives: [.pinAuthInvalid]
        ) { bench, _, parameters in parameters[2] = .bytes(bench.randomBytes(32)) }
        withToken(
            "pinUvAuthParam.withoutProtocol", "The authenticator refuses a code without its protocol.",
            gives: [.missingParameter]
        ) { _, _, parameters in parameters[7] = nil }
        withToken(
            "pinUvAuthProtocol.unknown", "The authenticator refuses an unknown PIN/UV auth protocol.",
            gives: [.invalidParameter, .pinAuthInvalid]
        ) { _, _, parameters in parameters[7] = 9 }
        withToken(
            "permission.mc", "The authenticator refuses a token that has the permission mc alone.", .makeCredential,
            needs: [.optionOn(.pinUvAuthToken)], gives: [.pinAuthInvalid]
        ) { _, _, _ in }
        withToken(
            "permission.cm", "The authenticator refuses a token that has the permission cm alone.",
            .credentialManagement, needs: [.optionOn(.pinUvAuthToken), .optionOn(.credMgmt)], gives: [.pinAuthInvalid]
        ) { _, _, _ in }
        withToken(
            "permission.otherParty", "The authenticator refuses a token of another relying party.",
            needs: [.optionOn(.pinUvAuthToken)], gives: [.pinAuthInvalid]
        ) { _, _, parameters in parameters[1] = "other.example" }
        EmptyCode.getAssertion.cases(of: "getAssertion")
        Case(
            "getAssertion.flags.uv", "UV is 1 after user verification with a token.", .webauthn("6.1"),
            needs: [.ctap2, .pin, .optionOff(.noMcGaPermissionsWithClientPin)], effects: [.changesPIN], person: [.touch]
        ) { bench in
            let credential = try await bench.sharedCredential()
            try await bench.ensurePIN()
            let parameters = try await bench.authorized(
                getAssertion: bench.getAssertionParameters(allowing: [credential]))
            let flags = try BenchAssertion(try await bench.send(.getAssertion, parameters), bench).data.flags
            bench.expect(flags.contains(.userVerified), "UV 1", seen: "the flags \(flags.abbreviations)")
        }
        request(
            "flags.withoutVerification", "UV is 0 without user verification.", .webauthn("6.1"),
            needs: [.optionOff(.uv), .optionOff(.alwaysUv)]
        ) { bench, credential, _ in
            let parameters = bench.getAssertionParameters(allowing: [credential])
            let flags = try BenchAssertion(try await bench.send(.getAssertion, parameters), bench).data.flags
            bench.expect(!flags.contains(.userVerified), "UV 0", seen: "the flags \(flags.abbreviations)")
        }
    }
}
