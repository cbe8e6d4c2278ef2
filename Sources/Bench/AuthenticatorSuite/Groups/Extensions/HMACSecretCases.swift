internal import CBOR
internal import CTAP
internal import Conformance
internal import WebAuthn

extension AuthenticatorSuite {
    /// The extensions hmac-secret and hmac-secret-mc (CTAP 2.3 §12.7, §12.8).
    package static let hmacSecret = Group(
        "hmacSecret", "The extensions hmac-secret and hmac-secret-mc",
        HMACSecretCases.registration + PINUVAuthProtocol.allCases.flatMap(HMACSecretCases.outputs)
            + HMACSecretCases.refusals + HMACSecretCases.atCreation)
}

enum HMACSecretCases {
    private static let name = "hmac-secret"
    private static let clause = Clause.ctap("12.7")
    private static let needs: [AuthenticatorNeed] = [.supported("hmac-secret"), .credentials]
    private static let salts = [[UInt8](repeating: 0x11, count: 32), [UInt8](repeating: 0x22, count: 32)]

    static let registration: [AuthenticatorCase] = [
        AuthenticatorCase(
            "hmacSecret.enabled", "A registration with hmac-secret answers hmac-secret true.", clause, needs: needs,
            person: [.touch]
        ) { platform in
            let made = try await platform.makeAny(extensions: ["hmac-secret": true])
            platform.recorder.expect(
                made.outputs[name] == true, "hmac-secret true", seen: made.outputs[name].map { "\($0)" } ?? "none")
        },
        AuthenticatorCase(
            "hmacSecret.notRequested", "A registration without hmac-secret has no such output.", clause,
            needs: needs, person: [.touch]
        ) { platform in
            let made = try await platform.makeAny()
            platform.recorder.expect(made.outputs[name] == nil, "no output", seen: "an output")
        },
        AuthenticatorCase(
            "hmacSecret.wrongType", "A registration with hmac-secret as a text is refused.", clause, needs: needs,
            person: [.touch]
        ) { platform in
            platform.expect(
                try await platform.makeAnyAnswer(extensions: ["hmac-secret": "true"]),
                RequestChange.wrongTypeStatuses)
        },
    ]

    static func outputs(_ pinProtocol: PINUVAuthProtocol) -> [AuthenticatorCase] {
        func make(
            _ end: String, _ title: String,
            _ steps: @escaping @Sendable (Platform, BenchCredential) async throws -> Void
        ) -> AuthenticatorCase {
            AuthenticatorCase(
                "hmacSecret.protocol\(pinProtocol.rawValue).\(end)",
                "With PIN/UV auth protocol \(pinProtocol), \(title).", clause,
                needs: needs + [.pinProtocol(pinProtocol)], person: [.touch, .touch]
            ) { platform in
                try await steps(platform, try await platform.makeAny(extensions: ["hmac-secret": true]))
            }
        }
        return [
            make("one", "one salt gives an output of 32 bytes") { platform, made in
                let outputs = try await platform.secrets(of: made, [salts[0]], pinProtocol)
                platform.recorder.expect(outputs.map(\.count) == [32], "32 bytes", seen: "\(outputs.map(\.count))")
            },
            make("two", "two salts give two outputs, each as if it were alone") { platform, made in
                let both = try await platform.secrets(of: made, salts, pinProtocol)
                let first = try await platform.secrets(of: made, [salts[0]], pinProtocol)
                let second = try await platform.secrets(of: made, [salts[1]], pinProtocol)
                platform.recorder.expect(both == first + second, "the outputs of each salt", seen: "others")
            },
            make("same", "the same salt gives the same output again") { platform, made in
                let first = try await platform.secrets(of: made, [salts[0]], pinProtocol)
                let second = try await platform.secrets(of: made, [salts[0]], pinProtocol)
                platform.recorder.expect(first == second, "the same output", seen: "another")
            },
            make("otherSalt", "another salt gives another output") { platform, made in
                let both = try await platform.secrets(of: made, salts, pinProtocol)
                platform.recorder.expect(Set(both).count == 2, "two outputs", seen: "the same twice")
            },
            make("otherCredential", "another credential gives another output") { platform, made in
                let other = try await platform.makeAny(extensions: ["hmac-secret": true])
                let first = try await platform.secrets(of: made, [salts[0]], pinProtocol)
                let second = try await platform.secrets(of: other, [salts[0]], pinProtocol)
                platform.recorder.expect(first != second, "another output", seen: "the same")
            },
            make("verified", "a verified user gets another output than one who only touches") { platform, made in
                guard !platform.bench.has(.alwaysUv),
                    platform.bench.info.option(.clientPin) != nil || platform.bench.has(.uv)
                else { throw CaseStop.notApplicable("the authenticator cannot give assertions of both kinds") }
                let touched = try await platform.secrets(of: made, [salts[0]], pinProtocol)
                let verified = try await platform.secrets(of: made, [salts[0]], pinProtocol, verified: true)
                platform.recorder.expect(touched != verified, "another output", seen: "the same")
            },
            make("wrongSaltAuth", "a wrong saltAuth is refused") { platform, made in
                let agreed = try await platform.agree(pinProtocol)
                var input = try platform.secretInput(agreed, [salts[0]])
                input[0x03] = .bytes([UInt8](repeating: 0, count: pinProtocol == .one ? 16 : 32))
                platform.expect(
                    try await platform.anyAnswer(with: made, extensions: ["hmac-secret": .map(input)]),
                    [.pinAuthInvalid])
            },
            make("saltLength", "salts of 48 bytes are refused") { platform, made in
                let agreed = try await platform.agree(pinProtocol)
                let input = try platform.secretInput(agreed, [[UInt8](repeating: 1, count: 48)])
                platform.expect(
                    try await platform.anyAnswer(with: made, extensions: ["hmac-secret": .map(input)]),
                    [.invalidLength, .invalidParameter])
            },
            make("powerCycle", "the output outlives a power cycle") { platform, made in
                let first = try await platform.secrets(of: made, [salts[0]], pinProtocol)
                try await platform.powerCycle()
                let second = try await platform.secrets(of: made, [salts[0]], pinProtocol)
                platform.recorder.expect(first == second, "the same output", seen: "another")
            },
        ]
    }

    private static let changes: [RequestChange] = [
        .missing(0x01, "keyAgreement"), .missing(0x02, "saltEnc"), .missing(0x03, "saltAuth"),
        .wrongType(0x01, "keyAgreement", .bytes([1]), [.cborUnexpectedType, .invalidCBOR, .invalidParameter]),
        .wrongType(0x02, "saltEnc", "salt"),
        .value("unknownProtocol", "of an unknown PIN/UV auth protocol", 0x04, 0x7E, [.invalidParameter]),
    ]

    static let refusals: [AuthenticatorCase] =
        changes.map { change in
            AuthenticatorCase(
                "hmacSecret.input.\(change.name)", "An assertion with an hmac-secret input \(change.words) is refused.",
                clause, needs: needs, person: [.touch, .touch]
            ) { platform in
                let made = try await platform.makeAny(extensions: ["hmac-secret": true])
                var input = try platform.secretInput(try await platform.agree(try platform.preferred), [salts[0]])
                change.apply(&input)
                platform.expect(
                    try await platform.anyAnswer(with: made, extensions: ["hmac-secret": .map(input)]),
                    change.statuses)
            }
        } + [
            AuthenticatorCase(
                "hmacSecret.input.silent", "An assertion with hmac-secret and without user presence is refused.",
                clause, needs: needs, person: [.touch]
            ) { platform in
                let made = try await platform.makeAny(extensions: ["hmac-secret": true])
                let input = try platform.secretInput(try await platform.agree(try platform.preferred), [salts[0]])
                platform.expect(
                    try await platform.assert(
                        silently: true, allowing: [made], extensions: ["hmac-secret": .map(input)]),
                    [.unsupportedOption])
            },
            AuthenticatorCase(
                "hmacSecret.input.notMap", "An assertion with hmac-secret as a byte string is refused.", clause,
                needs: needs, person: [.touch, .touch]
            ) { platform in
                let made = try await platform.makeAny(extensions: ["hmac-secret": true])
                platform.expect(
                    try await platform.anyAnswer(with: made, extensions: ["hmac-secret": .bytes([1])]),
                    RequestChange.wrongTypeStatuses)
            },
        ]

    // MARK: hmac-secret-mc

    static let atCreation: [AuthenticatorCase] = [
        creation("one", "The extension hmac-secret-mc gives the output that the first assertion also gives.") {
            platform, agreed in
            let made = try await platform.makeAny(
                extensions: [
                    "hmac-secret": true, "hmac-secret-mc": .map(try platform.secretInput(agreed, [salts[0]])),
                ])
            let output = try platform.decrypted(made.outputs["hmac-secret-mc"], agreed, count: 1)
            let verified = made.data.flags.contains(.userVerified)
            let later = try await platform.secrets(of: made, [salts[0]], agreed.pinProtocol, verified: verified)
            platform.recorder.expect(output == later, "the same output", seen: "another")
        },
        creation("two", "The extension hmac-secret-mc gives two outputs for two salts.") { platform, agreed in
            let made = try await platform.makeAny(
                extensions: ["hmac-secret": true, "hmac-secret-mc": .map(try platform.secretInput(agreed, salts))])
            let outputs = try platform.decrypted(made.outputs["hmac-secret-mc"], agreed, count: 2)
            platform.recorder.expect(Set(outputs).count == 2, "two outputs", seen: "\(Set(outputs).count)")
        },
        creation("alone", "The extension hmac-secret-mc without hmac-secret is refused.") { platform, agreed in
            platform.expect(
                try await platform.makeAnyAnswer(
                    extensions: ["hmac-secret-mc": .map(try platform.secretInput(agreed, [salts[0]]))]),
                [.missingParameter])
        },
        creation("wrongSaltAuth", "The extension hmac-secret-mc with a wrong saltAuth is refused.") {
            platform, agreed in
            var input = try platform.secretInput(agreed, [salts[0]])
            input[0x03] = .bytes([UInt8](repeating: 0, count: 32))
            platform.expect(
                try await platform.makeAnyAnswer(extensions: ["hmac-secret": true, "hmac-secret-mc": .map(input)]),
                [.pinAuthInvalid])
        },
        creation("saltLength", "The extension hmac-secret-mc with salts of 48 bytes is refused.") {
            platform, agreed in
            let input = try platform.secretInput(agreed, [[UInt8](repeating: 1, count: 48)])
            platform.expect(
                try await platform.makeAnyAnswer(extensions: ["hmac-secret": true, "hmac-secret-mc": .map(input)]),
                [.invalidLength, .invalidParameter])
        },
    ]

    private static func creation(
        _ end: String, _ title: String,
        _ steps: @escaping @Sendable (Platform, AgreedSecret) async throws -> Void
    ) -> AuthenticatorCase {
        AuthenticatorCase(
            "hmacSecret.mc.\(end)", title, .ctap("12.8"), needs: needs + [.supported("hmac-secret-mc")],
            person: [.touch]
        ) { platform in
            try await steps(platform, try await platform.agree(try platform.preferred))
        }
    }
}

extension Platform {
    /// The input of hmac-secret with these salts.
    func secretInput(_ agreed: AgreedSecret, _ salts: [[UInt8]]) throws(CaseStop) -> CBOR.Map {
        let saltEnc = try agreed.encrypt(salts.flatMap { $0 })
        return [
            0x01: agreed.platformKey, 0x02: .bytes(saltEnc), 0x03: .bytes(agreed.authenticate(saltEnc)),
            0x04: .integer(agreed.pinProtocol.rawValue),
        ]
    }

    /// The outputs of hmac-secret for these salts.
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

    /// The outputs inside an encrypted output.
    func decrypted(_ output: CBOR.Value?, _ agreed: AgreedSecret, count: Int) throws(CaseStop) -> [[UInt8]] {
        guard case .bytes(let encrypted)? = output,
            let plain = agreed.pinProtocol.decrypt(encrypted, with: agreed.secret), plain.count == 32 * count
        else { throw recorder.fail("\(count) encrypted outputs of 32 bytes", seen: output.map { "\($0)" } ?? "none") }
        return (0..<count).map { Array(plain[32 * $0..<32 * $0 + 32]) }
    }

    /// Sends a GetAssertion with what the authenticator demands.
    func anyAnswer(with credential: BenchCredential, extensions: CBOR.Map) async throws -> AuthenticatorAnswer {
        let request = assertRequest(allowing: [credential], extensions: extensions)
        return try await send(
            .getAssertion,
            bench.has(.alwaysUv) ? try await bench.authorized(getAssertion: request, verified: true) : request)
    }
}
