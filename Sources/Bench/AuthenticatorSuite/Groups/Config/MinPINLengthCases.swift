internal import CBOR
internal import CTAP
internal import Conformance

/// setMinPINLength (CTAP 2.3 §6.11.4).
enum MinPINLengthCases {
    static let all: [AuthenticatorCase] = [
        make("raised", "The subcommand setMinPINLength raises the minimum, and getInfo says so.") {
            platform, minimum, set in
            platform.expect(try await set([0x01: .integer(minimum + 2)]), [.ok])
            let after = try await platform.information().minPINLength ?? 4
            platform.recorder.expect(after == minimum + 2, "minPINLength \(minimum + 2)", seen: "\(after)")
        },
        make("lowered", "The subcommand setMinPINLength refuses a minimum below the present one.") {
            platform, minimum, set in
            platform.expect(try await set([0x01: .integer(minimum - 1)]), [.pinPolicyViolation])
            let after = try await platform.information().minPINLength ?? 4
            platform.recorder.expect(after == minimum, "minPINLength \(minimum)", seen: "\(after)")
        },
        make("same", "The subcommand setMinPINLength accepts the present minimum and asks for no new PIN.") {
            platform, minimum, set in
            platform.expect(try await set([0x01: .integer(minimum)]), [.ok])
            let force = try await platform.information().forcePINChange
            platform.recorder.expect(force != true, "forcePINChange false or absent", seen: "forcePINChange true")
        },
        make("tooLong", "The subcommand setMinPINLength refuses a minimum above the longest PIN.") { platform, _, set in
            let longest = try await platform.information().maxPINLength ?? 63
            platform.expect(
                try await set([0x01: .integer(longest + 1)]), [.pinPolicyViolation, .invalidParameter])
        },
        make("forcesShorter", "A minimum above the length of the PIN demands to change the PIN.") { platform, _, set in
            let length = try platform.pin.unicodeScalars.count
            platform.expect(try await set([0x01: .integer(length + 1)]), [.ok])
            let force = try await platform.information().forcePINChange
            platform.recorder.expect(
                force == true, "forcePINChange true", seen: force.map { "\($0)" } ?? "no such member")
        },
        make("enforced", "The subcommand changePIN refuses a PIN below the raised minimum.") { platform, _, set in
            let pin = try platform.pin
            let length = pin.unicodeScalars.count
            platform.expect(try await set([0x01: .integer(length)]), [.ok])
            platform.expect(
                try await platform.change(
                    from: pin, to: String("9472538164029537186402753819".prefix(length - 1)),
                    try platform.preferred), [.pinPolicyViolation])
        },
        make("forceChange", "The parameter forceChangePin demands to change the PIN.") { platform, _, set in
            platform.expect(try await set([0x03: true]), [.ok])
            let force = try await platform.information().forcePINChange
            platform.recorder.expect(
                force == true, "forcePINChange true", seen: force.map { "\($0)" } ?? "no such member")
        },
        make("forceChangeFalse", "The parameter forceChangePin false demands nothing.") { platform, _, set in
            platform.expect(try await set([0x03: false]), [.ok])
            let force = try await platform.information().forcePINChange
            platform.recorder.expect(force != true, "forcePINChange false or absent", seen: "forcePINChange true")
        },
        make("wrongType.newMinPINLength", "The subcommand setMinPINLength refuses a minimum that is a text.") {
            platform, _, set in
            platform.expect(try await set([0x01: "6"]), RequestChange.wrongTypeStatuses)
        },
        make("wrongType.rpIDs", "The subcommand setMinPINLength refuses RP IDs of another type than an array.") {
            platform, _, set in
            platform.expect(try await set([0x02: "conformance.example"]), RequestChange.wrongTypeStatuses)
        },
        make("wrongType.forceChangePin", "The subcommand setMinPINLength refuses a forceChangePin that is a number.") {
            platform, _, set in
            platform.expect(try await set([0x03: 1]), RequestChange.wrongTypeStatuses)
        },
        make("tooManyRPs", "The subcommand setMinPINLength refuses more RP IDs than getInfo allows.") {
            platform, _, set in
            guard let most = platform.bench.info.maxRPIDsForSetMinPINLength else {
                throw CaseStop.notApplicable("getInfo lacks maxRPIDsForSetMinPINLength")
            }
            let ids = (0...most).map { CBOR.Value.text("rp\($0).conformance.example") }
            platform.expect(try await set([0x02: .array(ids)]), [.keyStoreFull])
        },
        make("mostRPs", "The subcommand setMinPINLength accepts as many RP IDs as getInfo allows.") {
            platform, _, set in
            guard let most = platform.bench.info.maxRPIDsForSetMinPINLength, most > 0 else {
                throw CaseStop.notApplicable("getInfo lacks maxRPIDsForSetMinPINLength")
            }
            let ids = (0..<most).map { CBOR.Value.text("rp\($0).conformance.example") }
            platform.expect(try await set([0x02: .array(ids)]), [.ok])
        },
        make("emptyRequest", "The subcommand setMinPINLength without parameters changes nothing.") {
            platform, minimum, set in
            platform.expect(try await set([:]), [.ok])
            let after = try await platform.information().minPINLength ?? 4
            platform.recorder.expect(after == minimum, "minPINLength \(minimum)", seen: "\(after)")
        },
        AuthenticatorCase(
            "config.setMinPINLength.forceWithoutPIN", "The parameter forceChangePin is refused while no PIN is set.",
            clause,
            from: .noPIN, needs: needs + [.optionOff(.alwaysUv)]
        ) { platform in
            platform.expect(
                try await platform.configure(.setMinPINLength, [0x03: true], token: nil), [.pinNotSet])
        },
        AuthenticatorCase(
            "config.setMinPINLength.unprotected", "An unprotected authenticator needs no token for setMinPINLength.",
            .ctap("6.11"), from: .noPIN, needs: needs + [.optionOff(.alwaysUv)], effects: [.changesSettings]
        ) { platform in
            platform.expect(
                try await platform.configure(.setMinPINLength, [0x01: 8], token: nil), [.ok])
            let after = try await platform.information().minPINLength ?? 4
            platform.recorder.expect(after == 8, "minPINLength 8", seen: "\(after)")
        },
    ]

    private static let clause = Clause.ctap("6.11.4")
    private static let needs: [AuthenticatorNeed] = [.optionOn(.setMinPINLength)]

    private typealias Setting = @Sendable (CBOR.Map) async throws -> AuthenticatorAnswer

    /// A case that sets the minimum with a token.
    private static func make(
        _ name: String, _ title: String,
        _ steps: @escaping @Sendable (Platform, Int, Setting) async throws -> Void
    ) -> AuthenticatorCase {
        AuthenticatorCase(
            "config.setMinPINLength.\(name)", title, clause, from: .freshPIN, needs: needs,
            effects: [.changesSettings]
        ) { platform in
            let minimum = try await platform.information().minPINLength ?? 4
            let token = try await platform.pinToken(.authenticatorConfiguration)
            try await steps(platform, minimum) { parameters in
                try await platform.configure(.setMinPINLength, parameters, token: token)
            }
        }
    }
}
