internal import CBOR
internal import CTAP
internal import Conformance

extension AuthenticatorSuite {
    /// The extension minPinLength (CTAP 2.3 §12.5).
    package static let minPinLength = Group("minPinLength", "The extension minPinLength", PolicyCases.minPinLength)
    /// The extension pinComplexityPolicy (CTAP 2.3 §12.6).
    package static let pinComplexityPolicy = Group(
        "pinComplexityPolicy", "The extension pinComplexityPolicy", PolicyCases.complexity)
    /// The extension thirdPartyPayment (CTAP 2.3 §12.9).
    package static let thirdPartyPayment = Group(
        "thirdPartyPayment", "The extension thirdPartyPayment", PolicyCases.payment)
    /// The extension uvm (WebAuthn L2 §10.3).
    package static let uvm = Group("uvm", "The extension uvm", PolicyCases.uvm)
}

enum PolicyCases {
    private static func words(_ value: CBOR.Value?) -> String { value.map { "\($0)" } ?? "no output" }

    // MARK: minPinLength

    static let minPinLength: [AuthenticatorCase] = [
        policy(
            "minPinLength", "listed", "A relying party that may read the minimum PIN length gets it.", "12.5"
        ) {
            platform in
            let minimum = platform.bench.info.minPINLength ?? 4
            let made = try await platform.makeAny(extensions: ["minPinLength": true])
            let output = made.outputs["minPinLength"]
            platform.recorder.expect(output == .integer(minimum), "minPinLength \(minimum)", seen: words(output))
        },
        policy(
            "minPinLength", "otherRP", "A relying party that may not read the minimum PIN length does not get it.",
            "12.5"
        ) {
            platform in
            let made = try await platform.makeAny(
                extensions: ["minPinLength": true], rpID: "other.\(platform.rpID)")
            platform.recorder.expect(
                made.outputs["minPinLength"] == nil, "no output", seen: words(made.outputs["minPinLength"]))
        },
        policy("minPinLength", "notAsked", "A registration without minPinLength does not tell it.", "12.5") {
            platform in
            let made = try await platform.makeAny()
            platform.recorder.expect(
                made.outputs["minPinLength"] == nil, "no output", seen: words(made.outputs["minPinLength"]))
        },
        policy("minPinLength", "wrongType", "A registration with minPinLength as a number is refused.", "12.5") {
            platform in
            platform.expect(
                try await platform.makeAnyAnswer(extensions: ["minPinLength": 1]), RequestChange.wrongTypeStatuses)
        },
        policy(
            "minPinLength", "powerCycle", "The right to read the minimum PIN length outlives a power cycle.", "6.11.4"
        ) {
            platform in
            try await platform.powerCycle()
            let made = try await platform.makeAny(extensions: ["minPinLength": true])
            let minimum = platform.bench.info.minPINLength ?? 4
            platform.recorder.expect(
                made.outputs["minPinLength"] == .integer(minimum), "minPinLength \(minimum)",
                seen: words(made.outputs["minPinLength"]))
        },
        policy("minPinLength", "replaced", "A new list of relying parties replaces the one of before.", "6.11.4") {
            platform in
            let token = try await platform.pinToken(.authenticatorConfiguration)
            platform.expect(
                try await platform.configure(
                    .setMinPINLength, [0x02: [.text("new.\(platform.rpID)")]], token: token), [.ok])
            let made = try await platform.makeAny(extensions: ["minPinLength": true])
            platform.recorder.expect(
                made.outputs["minPinLength"] == nil, "no output", seen: words(made.outputs["minPinLength"]))
        },
    ]

    /// A case whose relying party may read the PIN policy.
    private static func policy(
        _ name: String, _ end: String, _ title: String, _ section: String,
        _ steps: @escaping @Sendable (Platform) async throws -> Void
    ) -> AuthenticatorCase {
        AuthenticatorCase(
            "\(name).\(end)", title, .ctap(section), from: .freshPIN,
            needs: [.supported(name), .optionOn(.setMinPINLength), .optionOff(.noMcGaPermissionsWithClientPin)],
            effects: [.changesSettings], person: [.touch]
        ) { platform in
            let token = try await platform.pinToken(.authenticatorConfiguration)
            platform.expect(
                try await platform.configure(.setMinPINLength, [0x02: [.text(platform.rpID)]], token: token), [.ok])
            try await steps(platform)
        }
    }

    // MARK: pinComplexityPolicy

    static let complexity: [AuthenticatorCase] = [
        policy(
            "pinComplexityPolicy", "listed",
            "A relying party that may read the PIN policy learns whether PINs must be complex.", "12.6"
        ) {
            platform in
            let made = try await platform.makeAny(extensions: ["pinComplexityPolicy": true])
            let expected = platform.bench.info.pinComplexityPolicy ?? false
            platform.recorder.expect(
                made.outputs["pinComplexityPolicy"] == .bool(expected), "pinComplexityPolicy \(expected)",
                seen: words(made.outputs["pinComplexityPolicy"]))
        },
        policy(
            "pinComplexityPolicy", "otherRP", "A relying party that may not read the PIN policy learns nothing.",
            "12.6"
        ) {
            platform in
            let made = try await platform.makeAny(
                extensions: ["pinComplexityPolicy": true], rpID: "other.\(platform.rpID)")
            platform.recorder.expect(
                made.outputs["pinComplexityPolicy"] == nil, "no output",
                seen: words(made.outputs["pinComplexityPolicy"]))
        },
        policy(
            "pinComplexityPolicy", "wrongType", "A registration with pinComplexityPolicy as a number is refused.",
            "12.6"
        ) {
            platform in
            platform.expect(
                try await platform.makeAnyAnswer(extensions: ["pinComplexityPolicy": 1]),
                RequestChange.wrongTypeStatuses)
        },
        policy(
            "pinComplexityPolicy", "enforced",
            "The subcommand setMinPINLength turns the policy on, and getInfo says so.", "6.11.4"
        ) {
            platform in
            guard platform.bench.info.pinComplexityPolicy != nil else {
                throw CaseStop.notApplicable("getInfo lacks pinComplexityPolicy")
            }
            let token = try await platform.pinToken(.authenticatorConfiguration)
            platform.expect(try await platform.configure(.setMinPINLength, [0x04: true], token: token), [.ok])
            let policy = try await platform.information().pinComplexityPolicy
            platform.recorder.expect(
                policy == true, "pinComplexityPolicy true", seen: policy.map { "\($0)" } ?? "no such member")
            let made = try await platform.makeAny(extensions: ["pinComplexityPolicy": true])
            platform.recorder.expect(
                made.outputs["pinComplexityPolicy"] == true, "pinComplexityPolicy true",
                seen: words(made.outputs["pinComplexityPolicy"]))
        },
        policy("pinComplexityPolicy", "simplePIN", "With the policy on, a PIN of one repeated digit is refused.", "6.4")
        {
            platform in
            guard platform.bench.info.pinComplexityPolicy != nil else {
                throw CaseStop.notApplicable("getInfo lacks pinComplexityPolicy")
            }
            let token = try await platform.pinToken(.authenticatorConfiguration)
            platform.expect(try await platform.configure(.setMinPINLength, [0x04: true], token: token), [.ok])
            platform.expect(
                try await platform.change(from: try platform.pin, to: "11111111", try platform.preferred),
                [.pinPolicyViolation])
        },
    ]

    // MARK: thirdPartyPayment

    static let payment: [AuthenticatorCase] =
        [
            ("true", true), ("false", false),
        ].map { name, isAllowed in
            AuthenticatorCase(
                "thirdPartyPayment.\(name)",
                "An assertion says that a credential made with thirdPartyPayment \(name) "
                    + "\(isAllowed ? "may" : "may not") be used for payments.",
                .ctap("12.9"), needs: [.supported("thirdPartyPayment"), .credentials], person: [.touch, .touch]
            ) { platform in
                let made = try await platform.makeAny(extensions: ["thirdPartyPayment": .bool(isAllowed)])
                let given = try await platform.anyAssertion(with: made, extensions: ["thirdPartyPayment": true])
                let output = given.outputs["thirdPartyPayment"]
                platform.recorder.expect(
                    output == .bool(isAllowed), "thirdPartyPayment \(isAllowed)", seen: words(output))
            }
        } + [
            AuthenticatorCase(
                "thirdPartyPayment.registration", "A registration with thirdPartyPayment answers true.", .ctap("12.9"),
                needs: [.supported("thirdPartyPayment"), .credentials], person: [.touch]
            ) { platform in
                let made = try await platform.makeAny(extensions: ["thirdPartyPayment": true])
                platform.recorder.expect(
                    made.outputs["thirdPartyPayment"] == true, "thirdPartyPayment true",
                    seen: words(made.outputs["thirdPartyPayment"]))
            },
            AuthenticatorCase(
                "thirdPartyPayment.notAsked", "An assertion that does not ask for thirdPartyPayment does not tell it.",
                .ctap("12.9"), needs: [.supported("thirdPartyPayment"), .credentials], person: [.touch, .touch]
            ) { platform in
                let made = try await platform.makeAny(extensions: ["thirdPartyPayment": true])
                let given = try await platform.anyAssertion(with: made)
                platform.recorder.expect(given.outputs["thirdPartyPayment"] == nil, "no output", seen: "an output")
            },
            AuthenticatorCase(
                "thirdPartyPayment.wrongType", "A registration with thirdPartyPayment as a number is refused.",
                .ctap("12.9"), needs: [.supported("thirdPartyPayment"), .credentials], person: [.touch]
            ) { platform in
                platform.expect(
                    try await platform.makeAnyAnswer(extensions: ["thirdPartyPayment": 1]),
                    RequestChange.wrongTypeStatuses)
            },
        ]

    // MARK: uvm

    private static let uvmClause = Clause(.webauthn2, "10.3")

    static let uvm: [AuthenticatorCase] = [
        AuthenticatorCase(
            "uvm.registration", "A registration with uvm gives one to three entries of three numbers.", uvmClause,
            needs: [.supported("uvm"), .credentials], person: [.touch]
        ) { platform in
            let made = try await platform.makeAny(extensions: ["uvm": true])
            expectEntries(made.outputs["uvm"], platform)
        },
        AuthenticatorCase(
            "uvm.assertion", "An assertion with uvm gives one to three entries of three numbers.", uvmClause,
            needs: [.supported("uvm"), .credentials], person: [.touch, .touch]
        ) { platform in
            let made = try await platform.makeAny()
            expectEntries(
                try await platform.anyAssertion(with: made, extensions: ["uvm": true]).outputs["uvm"], platform)
        },
        AuthenticatorCase(
            "uvm.passcode", "An assertion with a token by PIN names the external passcode.", uvmClause, from: .pin,
            needs: [.supported("uvm"), .optionOff(.noMcGaPermissionsWithClientPin)], person: [.touch, .touch]
        ) { platform in
            let made = try await platform.makeAny()
            let given = try await platform.assertion(
                with: made, extensions: ["uvm": true], token: try await platform.credentialToken(.getAssertion))
            let methods = entries(given.outputs["uvm"]).compactMap(\.first)
            platform.recorder.expect(
                methods.contains(0x800), "USER_VERIFY_PASSCODE_EXTERNAL (0x800)", seen: "\(methods)")
        },
        AuthenticatorCase(
            "uvm.finger", "An assertion with uv and a finger names the fingerprint.", uvmClause, from: .uv,
            needs: [.supported("uvm"), .option(.bioEnroll)], person: [.verify, .verify]
        ) { platform in
            let made = try await platform.make(options: ["uv": true])
            let given = try await platform.assertion(with: made, extensions: ["uvm": true], options: ["uv": true])
            let methods = entries(given.outputs["uvm"]).compactMap(\.first)
            platform.recorder.expect(methods.contains(0x02), "USER_VERIFY_FINGERPRINT (0x02)", seen: "\(methods)")
        },
        AuthenticatorCase(
            "uvm.wrongType", "A registration with uvm as a number is refused.", uvmClause,
            needs: [.supported("uvm"), .credentials], person: [.touch]
        ) { platform in
            platform.expect(
                try await platform.makeAnyAnswer(extensions: ["uvm": 1]), RequestChange.wrongTypeStatuses)
        },
    ]

    private static func entries(_ output: CBOR.Value?) -> [[Int]] {
        guard case .array(let entries)? = output else { return [] }
        return entries.map { entry in
            guard case .array(let numbers) = entry else { return [] }
            return numbers.compactMap { try? $0.asUnsigned("uvm") }
        }
    }

    private static func expectEntries(_ output: CBOR.Value?, _ platform: Platform) {
        let entries = entries(output)
        platform.recorder.expect(
            (1...3).contains(entries.count) && entries.allSatisfy { $0.count == 3 },
            "one to three entries of three numbers", seen: words(output))
    }
}
