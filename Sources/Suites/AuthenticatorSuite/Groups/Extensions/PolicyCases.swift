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

    @CaseTable static var minPinLength: [Case] {
        policy("minPinLength", "listed", "A relying party that may read the minimum PIN length gets it.", "12.5") {
            bench in
            let minimum = bench.info.minPINLength ?? 4
            let made = try await bench.makeAny(extensions: ["minPinLength": true])
            let output = made.outputs["minPinLength"]
            bench.expect(output == .integer(minimum), "minPinLength \(minimum)", seen: words(output))
        }
        policy(
            "minPinLength", "otherRP", "A relying party that may not read the minimum PIN length does not get it.",
            "12.5"
        ) { bench in
            let made = try await bench.makeAny(
                extensions: ["minPinLength": true], rpID: "other.\(bench.relyingPartyID)")
            bench.expect(made.outputs["minPinLength"] == nil, "no output", seen: words(made.outputs["minPinLength"]))
        }
        policy("minPinLength", "notAsked", "A registration without minPinLength does not tell it.", "12.5") { bench in
            let made = try await bench.makeAny()
            bench.expect(made.outputs["minPinLength"] == nil, "no output", seen: words(made.outputs["minPinLength"]))
        }
        policy("minPinLength", "wrongType", "A registration with minPinLength as a number is refused.", "12.5") {
            bench in
            bench.expect(
                try await bench.makeAnyAnswer(extensions: ["minPinLength": 1]), anyOf: RequestChange.wrongTypeStatuses)
        }
        policy(
            "minPinLength", "powerCycle", "The right to read the minimum PIN length outlives a power cycle.", "6.11.4"
        ) { bench in
            try await bench.powerCycle()
            let made = try await bench.makeAny(extensions: ["minPinLength": true])
            let minimum = bench.info.minPINLength ?? 4
            bench.expect(
                made.outputs["minPinLength"] == .integer(minimum), "minPinLength \(minimum)",
                seen: words(made.outputs["minPinLength"]))
        }
        policy("minPinLength", "reset", "A reset takes the right to read the minimum PIN length away.", "6.6") {
            bench in
            try await bench.freshDevice()
            let made = try await bench.makeAny(extensions: ["minPinLength": true])
            bench.expect(made.outputs["minPinLength"] == nil, "no output", seen: words(made.outputs["minPinLength"]))
        }
        policy("minPinLength", "replaced", "A new list of relying parties replaces the previous one.", "6.11.4") {
            bench in
            let token = try await bench.pinToken(.authenticatorConfiguration)
            bench.expect(
                try await bench.configure(
                    .setMinPINLength, [0x02: [.text("new.\(bench.relyingPartyID)")]], token: token), .ok)
            let made = try await bench.makeAny(extensions: ["minPinLength": true])
            bench.expect(made.outputs["minPinLength"] == nil, "no output", seen: words(made.outputs["minPinLength"]))
        }
    }

    /// A case whose relying party may read the PIN policy.
    private static func policy(
        _ name: String, _ end: String, _ title: String, _ section: String,
        _ steps: @escaping @Sendable (AuthenticatorBench) async throws -> Void
    ) -> Case {
        Case(
            "\(name).\(end)", title, .ctap(section), from: .freshPIN,
            needs: [.supported(name), .optionOn(.setMinPINLength), .optionOff(.noMcGaPermissionsWithClientPin)],
            effects: [.changesSettings], person: [.touch]
        ) { bench in
            let token = try await bench.pinToken(.authenticatorConfiguration)
            bench.expect(
                try await bench.configure(.setMinPINLength, [0x02: [.text(bench.relyingPartyID)]], token: token), .ok)
            try await steps(bench)
        }
    }

    // MARK: pinComplexityPolicy

    @CaseTable static var complexity: [Case] {
        policy(
            "pinComplexityPolicy", "listed",
            "A relying party that may read the PIN policy learns whether PINs must be complex.", "12.6"
        ) { bench in
            let made = try await bench.makeAny(extensions: ["pinComplexityPolicy": true])
            let expected = bench.info.pinComplexityPolicy ?? false
            bench.expect(
                made.outputs["pinComplexityPolicy"] == .bool(expected), "pinComplexityPolicy \(expected)",
                seen: words(made.outputs["pinComplexityPolicy"]))
        }
        policy(
            "pinComplexityPolicy", "otherRP", "A relying party that may not read the PIN policy learns nothing.", "12.6"
        ) { bench in
            let made = try await bench.makeAny(
                extensions: ["pinComplexityPolicy": true], rpID: "other.\(bench.relyingPartyID)")
            bench.expect(
                made.outputs["pinComplexityPolicy"] == nil, "no output",
                seen: words(made.outputs["pinComplexityPolicy"]))
        }
        policy(
            "pinComplexityPolicy", "wrongType", "A registration with pinComplexityPolicy as a number is refused.",
            "12.6"
        ) { bench in
            bench.expect(
                try await bench.makeAnyAnswer(extensions: ["pinComplexityPolicy": 1]),
                anyOf: RequestChange.wrongTypeStatuses)
        }
        policy(
            "pinComplexityPolicy", "enforced",
            "The subcommand setMinPINLength turns the policy on, and getInfo says so.", "6.11.4"
        ) { bench in
            guard bench.info.pinComplexityPolicy != nil else {
                throw CaseStop.notApplicable("getInfo lacks pinComplexityPolicy")
            }
            let token = try await bench.pinToken(.authenticatorConfiguration)
            bench.expect(try await bench.configure(.setMinPINLength, [0x04: true], token: token), .ok)
            let policy = try await bench.readInfo().pinComplexityPolicy
            bench.expect(policy == true, "pinComplexityPolicy true", seen: policy.map { "\($0)" } ?? "no such member")
            let made = try await bench.makeAny(extensions: ["pinComplexityPolicy": true])
            bench.expect(
                made.outputs["pinComplexityPolicy"] == true, "pinComplexityPolicy true",
                seen: words(made.outputs["pinComplexityPolicy"]))
        }
        policy("pinComplexityPolicy", "simplePIN", "With the policy on, a PIN of one repeated digit is refused.", "6.4")
        { bench in
            guard bench.info.pinComplexityPolicy != nil else {
                throw CaseStop.notApplicable("getInfo lacks pinComplexityPolicy")
            }
            let token = try await bench.pinToken(.authenticatorConfiguration)
            bench.expect(try await bench.configure(.setMinPINLength, [0x04: true], token: token), .ok)
            bench.expect(
                try await bench.changePIN(from: try bench.knownPIN, to: "11111111", try bench.preferredProtocol),
                .pinPolicyViolation)
        }
    }

    // MARK: thirdPartyPayment

    @CaseTable static var payment: [Case] {
        for (name, isAllowed) in [("true", true), ("false", false)] {
            Case(
                "thirdPartyPayment.\(name)",
                "An assertion says that a credential made with thirdPartyPayment \(name) "
                    + "\(isAllowed ? "may" : "may not") be used for payments.",
                .ctap("12.9"), needs: [.supported("thirdPartyPayment"), .credentials], person: [.touch, .touch]
            ) { bench in
                let made = try await bench.makeAny(extensions: ["thirdPartyPayment": .bool(isAllowed)])
                let given = try await bench.anyAssertion(with: made, extensions: ["thirdPartyPayment": true])
                let output = given.outputs["thirdPartyPayment"]
                bench.expect(output == .bool(isAllowed), "thirdPartyPayment \(isAllowed)", seen: words(output))
            }
        }
        Case(
            "thirdPartyPayment.registration", "A registration with thirdPartyPayment answers true.", .ctap("12.9"),
            needs: [.supported("thirdPartyPayment"), .credentials], person: [.touch]
        ) { bench in
            let made = try await bench.makeAny(extensions: ["thirdPartyPayment": true])
            bench.expect(
                made.outputs["thirdPartyPayment"] == true, "thirdPartyPayment true",
                seen: words(made.outputs["thirdPartyPayment"]))
        }
        Case(
            "thirdPartyPayment.notAsked", "An assertion that does not ask for thirdPartyPayment does not tell it.",
            .ctap("12.9"), needs: [.supported("thirdPartyPayment"), .credentials], person: [.touch, .touch]
        ) { bench in
            let made = try await bench.makeAny(extensions: ["thirdPartyPayment": true])
            let given = try await bench.anyAssertion(with: made)
            bench.expect(given.outputs["thirdPartyPayment"] == nil, "no output", seen: "an output")
        }
        Case(
            "thirdPartyPayment.wrongType", "A registration with thirdPartyPayment as a number is refused.",
            .ctap("12.9"), needs: [.supported("thirdPartyPayment"), .credentials], person: [.touch]
        ) { bench in
            bench.expect(
                try await bench.makeAnyAnswer(extensions: ["thirdPartyPayment": 1]),
                anyOf: RequestChange.wrongTypeStatuses)
        }
    }

    // MARK: uvm

    private static let uvmClause = Clause(.webauthn2, "10.3")

    @CaseTable static var uvm: [Case] {
        Case(
            "uvm.registration", "A registration with uvm gives one to three entries of three numbers.", uvmClause,
            needs: [.supported("uvm"), .credentials], person: [.touch]
        ) { bench in
            let made = try await bench.makeAny(extensions: ["uvm": true])
            expectEntries(made.outputs["uvm"], bench)
        }
        Case(
            "uvm.assertion", "An assertion with uvm gives one to three entries of three numbers.", uvmClause,
            needs: [.supported("uvm"), .credentials], person: [.touch, .touch]
        ) { bench in
            let made = try await bench.makeAny()
            expectEntries(try await bench.anyAssertion(with: made, extensions: ["uvm": true]).outputs["uvm"], bench)
        }
        Case(
            "uvm.passcode", "An assertion with a token by PIN names the external passcode.", uvmClause, from: .pin,
            needs: [.supported("uvm"), .optionOff(.noMcGaPermissionsWithClientPin)], person: [.touch, .touch]
        ) { bench in
            let made = try await bench.makeAny()
            let given = try await bench.assertion(
                with: made, extensions: ["uvm": true], token: try await bench.credentialToken(.getAssertion))
            let methods = entries(given.outputs["uvm"]).compactMap(\.first)
            bench.expect(methods.contains(0x800), "USER_VERIFY_PASSCODE_EXTERNAL (0x800)", seen: "\(methods)")
        }
        Case(
            "uvm.finger", "An assertion with uv and a finger names the fingerprint.", uvmClause, from: .uv,
            needs: [.supported("uvm"), .option(.bioEnroll)], person: [.verify, .verify]
        ) { bench in
            let made = try await bench.make(options: ["uv": true])
            let given = try await bench.assertion(with: made, extensions: ["uvm": true], options: ["uv": true])
            let methods = entries(given.outputs["uvm"]).compactMap(\.first)
            bench.expect(methods.contains(0x02), "USER_VERIFY_FINGERPRINT (0x02)", seen: "\(methods)")
        }
        Case(
            "uvm.wrongType", "A registration with uvm as a number is refused.", uvmClause,
            needs: [.supported("uvm"), .credentials], person: [.touch]
        ) { bench in
            bench.expect(try await bench.makeAnyAnswer(extensions: ["uvm": 1]), anyOf: RequestChange.wrongTypeStatuses)
        }
    }

    private static func entries(_ output: CBOR.Value?) -> [[Int]] {
        guard case .array(let entries)? = output else { return [] }
        return entries.map { entry in
            guard case .array(let numbers) = entry else { return [] }
            return numbers.compactMap { try? $0.asUnsigned("uvm") }
        }
    }

    private static func expectEntries(_ output: CBOR.Value?, _ bench: AuthenticatorBench) {
        let entries = entries(output)
        bench.expect(
            (1...3).contains(entries.count) && entries.allSatisfy { $0.count == 3 },
            "one to three entries of three numbers", seen: words(output))
    }
}
