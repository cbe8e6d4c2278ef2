internal import CBOR
internal import CTAP
internal import Conformance
internal import WebAuthn

extension AuthenticatorSuite {
    /// The extensions hmac-secret and hmac-secret-mc (CTAP 2.3 §12.7, §12.8).
    package static let hmacSecret = Group(
        "hmacSecret", "The extensions hmac-secret and hmac-secret-mc",
        HMACSecretCases.registration + PINUVAuthProtocol.allCases.flatMap(HMACSecretCases.outputs)
            + PINUVAuthProtocol.allCases.flatMap(HMACSecretCases.further)
            + HMACSecretCases.refusals + HMACSecretCases.atCreation)
}

enum HMACSecretCases {
    private static let name = "hmac-secret"
    private static let clause = Clause.ctap("12.7")
    private static let needs: [AuthenticatorNeed] = [.supported("hmac-secret"), .credentials]
    private static let salts = [[UInt8](repeating: 0x11, count: 32), [UInt8](repeating: 0x22, count: 32)]

    @CaseTable static var registration: [Case] {
        Case(
            "hmacSecret.enabled", "A registration with hmac-secret answers hmac-secret true.", clause, needs: needs,
            person: [.touch]
        ) { bench in
            let made = try await bench.makeAny(extensions: ["hmac-secret": true])
            bench.expect(
                made.outputs[name] == true, "hmac-secret true", seen: made.outputs[name].map { "\($0)" } ?? "none")
        }
        Case(
            "hmacSecret.notRequested", "A registration without hmac-secret has no such output.", clause,
            needs: needs, person: [.touch]
        ) { bench in
            let made = try await bench.makeAny()
            bench.expect(made.outputs[name] == nil, "no output", seen: "an output")
        }
        Case(
            "hmacSecret.wrongType", "A registration with hmac-secret as a text is refused.", .ctap("8"), level: .should,
            needs: needs, person: [.touch]
        ) { bench in
            bench.expect(
                try await bench.makeAnyAnswer(extensions: ["hmac-secret": "true"]),
                anyOf: RequestChange.wrongTypeStatuses)
        }
    }

    @CaseTable static func outputs(_ pinProtocol: PINUVAuthProtocol) -> [Case] {
        output(pinProtocol, "one", "one salt gives an output of 32 bytes") { bench, made in
            let outputs = try await bench.secrets(of: made, [salts[0]], pinProtocol)
            bench.expect(outputs.map(\.count) == [32], "32 bytes", seen: "\(outputs.map(\.count))")
        }
        output(pinProtocol, "two", "two salts give two outputs, each as if it were alone") { bench, made in
            let both = try await bench.secrets(of: made, salts, pinProtocol)
            let first = try await bench.secrets(of: made, [salts[0]], pinProtocol)
            let second = try await bench.secrets(of: made, [salts[1]], pinProtocol)
            bench.expect(both == first + second, "the outputs of each salt", seen: "others")
        }
        output(pinProtocol, "same", "the same salt gives the same output again") { bench, made in
            let first = try await bench.secrets(of: made, [salts[0]], pinProtocol)
            let second = try await bench.secrets(of: made, [salts[0]], pinProtocol)
            bench.expect(first == second, "the same output", seen: "another")
        }
        output(pinProtocol, "otherSalt", "another salt gives another output") { bench, made in
            let both = try await bench.secrets(of: made, salts, pinProtocol)
            bench.expect(Set(both).count == 2, "two outputs", seen: "the same twice")
        }
        output(pinProtocol, "otherCredential", "another credential gives another output") { bench, made in
            let other = try await bench.makeAny(extensions: ["hmac-secret": true])
            let first = try await bench.secrets(of: made, [salts[0]], pinProtocol)
            let second = try await bench.secrets(of: other, [salts[0]], pinProtocol)
            bench.expect(first != second, "another output", seen: "the same")
        }
        output(pinProtocol, "verified", "a verified user gets another output than one who only touches") {
            bench, made in
            guard !bench.has(.alwaysUv),
                bench.info.option(.clientPin) != nil || bench.has(.uv)
            else { throw CaseStop.notApplicable("the authenticator cannot give assertions of both kinds") }
            let touched = try await bench.secrets(of: made, [salts[0]], pinProtocol)
            let verified = try await bench.secrets(of: made, [salts[0]], pinProtocol, verified: true)
            bench.expect(touched != verified, "another output", seen: "the same")
        }
        output(pinProtocol, "wrongSaltAuth", "a wrong saltAuth is refused") { bench, made in
            let agreed = try await bench.agree(pinProtocol)
            var input = try bench.secretInput(agreed, [salts[0]])
            input[0x03] = .bytes([UInt8](repeating: 0, count: pinProtocol == .one ? 16 : 32))
            bench.expect(
                try await bench.anyAnswer(with: made, extensions: ["hmac-secret": .map(input)]), .pinAuthInvalid)
        }
        output(pinProtocol, "saltLength", "salts of 48 bytes are refused") { bench, made in
            let agreed = try await bench.agree(pinProtocol)
            let input = try bench.secretInput(agreed, [[UInt8](repeating: 1, count: 48)])
            bench.expect(
                try await bench.anyAnswer(with: made, extensions: ["hmac-secret": .map(input)]),
                .invalidLength, .invalidParameter)
        }
        output(pinProtocol, "powerCycle", "the output outlives a power cycle") { bench, made in
            let first = try await bench.secrets(of: made, [salts[0]], pinProtocol)
            try await bench.powerCycle()
            let second = try await bench.secrets(of: made, [salts[0]], pinProtocol)
            bench.expect(first == second, "the same output", seen: "another")
        }
    }

    /// The outputs of further assertions.
    @CaseTable static func further(_ pinProtocol: PINUVAuthProtocol) -> [Case] {
        Case(
            "hmacSecret.protocol\(pinProtocol.rawValue).next",
            "With PIN/UV auth protocol \(pinProtocol), each further assertion has the output of its own credential.",
            .ctap("6.3"),
            needs: [
                .supported("hmac-secret"), .discoverableCredentials, .pinProtocol(pinProtocol), .optionOff(.plat),
                .optionOff(.alwaysUv),
            ], effects: [.addsCredential], person: [.touch, .touch]
        ) { bench in
            var made: [BenchCredential] = []
            for _ in 0..<2 {
                made.append(try await bench.makeAny(extensions: ["hmac-secret": true], discoverable: true))
            }
            let agreed = try await bench.agree(pinProtocol)
            let input: CBOR.Map = ["hmac-secret": .map(try bench.secretInput(agreed, [salts[0]]))]
            let first = try bench.given(try await bench.assert(extensions: input))
            let second = try bench.given(try await bench.send(.getNextAssertion))
            for (given, credential) in [(first, made[1]), (second, made[0])] {
                let output = try bench.decrypted(given.outputs["hmac-secret"], agreed, count: 1)
                let own = try await bench.secrets(of: credential, [salts[0]], pinProtocol)
                bench.expect(output == own, "the output of the assertion's own credential", seen: "another")
            }
        }
    }

    private static func output(
        _ pinProtocol: PINUVAuthProtocol, _ end: String, _ title: String,
        _ steps: @escaping @Sendable (AuthenticatorBench, BenchCredential) async throws -> Void
    ) -> Case {
        Case(
            "hmacSecret.protocol\(pinProtocol.rawValue).\(end)",
            "With PIN/UV auth protocol \(pinProtocol), \(title).", clause,
            needs: needs + [.pinProtocol(pinProtocol)], person: [.touch, .touch]
        ) { bench in
            let made = try await bench.makeConfirmed()
            try await steps(bench, made)
        }
    }

    private static let changes: [RequestChange] = [
        .missing(0x01, "keyAgreement"), .missing(0x02, "saltEnc"),
        .missing(0x03, "saltAuth", [.missingParameter, .cborUnexpectedType, .pinAuthInvalid]),
        .wrongType(0x01, "keyAgreement", .bytes([1]), [.cborUnexpectedType, .invalidCBOR, .invalidParameter]),
        .wrongType(0x02, "saltEnc", "salt"),
        .value("unknownProtocol", "of an unknown PIN/UV auth protocol", 0x04, 0x7E, [.invalidParameter]),
    ]

    @CaseTable static var refusals: [Case] {
        for change in changes {
            Case(
                "hmacSecret.input.\(change.name)", "An assertion with an hmac-secret input \(change.words) is refused.",
                clause, needs: needs, person: [.touch, .touch]
            ) { bench in
                let made = try await bench.makeConfirmed()
                var input = try bench.secretInput(try await bench.agree(try bench.preferredProtocol), [salts[0]])
                change.apply(&input)
                bench.expect(
                    try await bench.anyAnswer(with: made, extensions: ["hmac-secret": .map(input)]),
                    anyOf: change.statuses)
            }
        }
        Case(
            "hmacSecret.input.silent", "An assertion with hmac-secret and without user presence is refused.",
            clause, needs: needs, person: [.touch]
        ) { bench in
            let made = try await bench.makeConfirmed()
            let input = try bench.secretInput(try await bench.agree(try bench.preferredProtocol), [salts[0]])
            bench.expect(
                try await bench.assert(silently: true, allowing: [made], extensions: ["hmac-secret": .map(input)]),
                .unsupportedOption)
        }
        Case(
            "hmacSecret.input.notMap", "An assertion with hmac-secret as a byte string is refused.", clause,
            needs: needs, person: [.touch, .touch]
        ) { bench in
            let made = try await bench.makeConfirmed()
            bench.expect(
                try await bench.anyAnswer(with: made, extensions: ["hmac-secret": .bytes([1])]),
                anyOf: RequestChange.wrongTypeStatuses)
        }
    }

    // MARK: hmac-secret-mc

    @CaseTable static var atCreation: [Case] {
        creation("one", "The extension hmac-secret-mc gives an output that the first assertion also gives.") {
            bench, agreed in
            let made = try await bench.makeAny(extensions: [
                "hmac-secret": true, "hmac-secret-mc": .map(try bench.secretInput(agreed, [salts[0]])),
            ])
            let output = try bench.decrypted(made.outputs["hmac-secret-mc"], agreed, count: 1)
            let verified = made.data.flags.contains(.userVerified)
            let later = try await bench.secrets(of: made, [salts[0]], agreed.pinProtocol, verified: verified)
            bench.expect(output == later, "the same output", seen: "another")
        }
        creation("two", "The extension hmac-secret-mc gives two outputs for two salts.") { bench, agreed in
            let made = try await bench.makeAny(
                extensions: ["hmac-secret": true, "hmac-secret-mc": .map(try bench.secretInput(agreed, salts))])
            let outputs = try bench.decrypted(made.outputs["hmac-secret-mc"], agreed, count: 2)
            bench.expect(Set(outputs).count == 2, "two outputs", seen: "\(Set(outputs).count)")
        }
        creation("alone", "The extension hmac-secret-mc without hmac-secret is refused.") { bench, agreed in
            bench.expect(
                try await bench.makeAnyAnswer(
                    extensions: ["hmac-secret-mc": .map(try bench.secretInput(agreed, [salts[0]]))]),
                .missingParameter)
        }
        creation("wrongSaltAuth", "The extension hmac-secret-mc with a wrong saltAuth is refused.") { bench, agreed in
            var input = try bench.secretInput(agreed, [salts[0]])
            input[0x03] = .bytes([UInt8](repeating: 0, count: 32))
            bench.expect(
                try await bench.makeAnyAnswer(extensions: ["hmac-secret": true, "hmac-secret-mc": .map(input)]),
                .pinAuthInvalid)
        }
        creation("saltLength", "The extension hmac-secret-mc with salts of 48 bytes is refused.") { bench, agreed in
            let input = try bench.secretInput(agreed, [[UInt8](repeating: 1, count: 48)])
            bench.expect(
                try await bench.makeAnyAnswer(extensions: ["hmac-secret": true, "hmac-secret-mc": .map(input)]),
                .invalidLength, .invalidParameter)
        }
    }

    private static func creation(
        _ end: String, _ title: String,
        _ steps: @escaping @Sendable (AuthenticatorBench, AgreedSecret) async throws -> Void
    ) -> Case {
        Case(
            "hmacSecret.mc.\(end)", title, .ctap("12.8"), needs: needs + [.supported("hmac-secret-mc")],
            person: [.touch]
        ) { bench in try await steps(bench, try await bench.agree(try bench.preferredProtocol)) }
    }
}

extension AuthenticatorBench {
    func secretInput(_ agreed: AgreedSecret, _ salts: [[UInt8]]) throws(CaseStop) -> CBOR.Map {
        let saltEnc = try agreed.encrypt(salts.flatMap { $0 })
        return [
            0x01: agreed.platformKey, 0x02: .bytes(saltEnc), 0x03: .bytes(agreed.authenticate(saltEnc)),
            0x04: .integer(agreed.pinProtocol.rawValue),
        ]
    }

    func secrets(
        of credential: BenchCredential, _ salts: [[UInt8]], _ pinProtocol: PINUVAuthProtocol, verified: Bool = false
    ) async throws -> [[UInt8]] {
        let agreed = try await agree(pinProtocol)
        let extensions: CBOR.Map = ["hmac-secret": .map(try secretInput(agreed, salts))]
        let given =
            verified
            ? try await verifiedAssertion(with: credential, extensions: extensions)
            : try await anyAssertion(with: credential, extensions: extensions)
        return try decrypted(given.outputs["hmac-secret"], agreed, count: salts.count)
    }

    func decrypted(_ output: CBOR.Value?, _ agreed: AgreedSecret, count: Int) throws(CaseStop) -> [[UInt8]] {
        guard case .bytes(let encrypted)? = output,
            let plain = agreed.pinProtocol.decrypt(encrypted, with: agreed.secret), plain.count == 32 * count
        else { throw fail("\(count) encrypted outputs of 32 bytes", seen: output.map { "\($0)" } ?? "none") }
        return (0..<count).map { Array(plain[32 * $0..<32 * $0 + 32]) }
    }

    /// Sends a GetAssertion with the authorisation that the authenticator demands.
    func anyAnswer(with credential: BenchCredential, extensions: CBOR.Map) async throws -> AuthenticatorAnswer {
        let request = assertRequest(allowing: [credential], extensions: extensions)
        return try await send(
            .getAssertion, has(.alwaysUv) ? try await authorized(getAssertion: request, verified: true) : request)
    }
}

extension AuthenticatorBench {
    /// A credential whose registration confirms hmac-secret.
    fileprivate func makeConfirmed() async throws -> BenchCredential {
        let made = try await makeAny(extensions: ["hmac-secret": true])
        guard made.outputs["hmac-secret"] == true else {
            throw CaseStop.blocked("the registration does not confirm hmac-secret, see hmacSecret.enabled")
        }
        return made
    }
}
