internal import CBOR
internal import CTAP
internal import Conformance

/// setMinPINLength (CTAP 2.3 §6.11.4).
enum MinPINLengthCases {
    @CaseTable static var all: [Case] {
        make("raised", "The subcommand setMinPINLength raises the minimum, and getInfo says so.") {
            bench, minimum, set in
            bench.expect(try await set([0x01: .integer(minimum + 2)]), .ok)
            let after = try await bench.readInfo().minPINLength ?? 4
            bench.expect(after == minimum + 2, "minPINLength \(minimum + 2)", seen: "\(after)")
        }
        Case(
            "config.setMinPINLength.powerCycle", "The raised minimum outlives a power cycle.", clause, from: .freshPIN,
            needs: needs + [.powerCycle], effects: [.changesSettings], person: [.replug]
        ) { bench in
            let minimum = try await bench.readInfo().minPINLength ?? 4
            let token = try await bench.pinToken(.authenticatorConfiguration)
            bench.expect(
                try await bench.configure(.setMinPINLength, [0x01: .integer(minimum + 1)], token: token), .ok)
            try await bench.powerCycle()
            let after = try await bench.readInfo().minPINLength ?? 4
            bench.expect(after == minimum + 1, "minPINLength \(minimum + 1)", seen: "\(after)")
        }
        make("lowered", "The subcommand setMinPINLength refuses a minimum below the present one.") {
            bench, minimum, set in
            bench.expect(try await set([0x01: .integer(minimum - 1)]), .pinPolicyViolation)
            let after = try await bench.readInfo().minPINLength ?? 4
            bench.expect(after == minimum, "minPINLength \(minimum)", seen: "\(after)")
        }
        make("same", "The subcommand setMinPINLength accepts the present minimum and asks for no new PIN.") {
            bench, minimum, set in
            bench.expect(try await set([0x01: .integer(minimum)]), .ok)
            let force = try await bench.readInfo().forcePINChange
            bench.expect(force != true, "forcePINChange false or absent", seen: "forcePINChange true")
        }
        make("tooLong", "The subcommand setMinPINLength refuses a minimum above the longest PIN.") { bench, _, set in
            let longest = try await bench.readInfo().maxPINLength ?? 63
            bench.expect(try await set([0x01: .integer(longest + 1)]), .pinPolicyViolation, .invalidParameter)
        }
        make("forcesShorter", "A minimum above the length of the PIN demands to change the PIN.") { bench, _, set in
            let length = try bench.knownPIN.unicodeScalars.count
            bench.expect(try await set([0x01: .integer(length + 1)]), .ok)
            let force = try await bench.readInfo().forcePINChange
            bench.expect(force == true, "forcePINChange true", seen: force.map { "\($0)" } ?? "no such member")
        }
        make("enforced", "The subcommand changePIN refuses a PIN below the raised minimum.") { bench, _, set in
            let pin = try bench.knownPIN
            let length = pin.unicodeScalars.count
            bench.expect(try await set([0x01: .integer(length)]), .ok)
            bench.expect(
                try await bench.changePIN(
                    from: pin, to: String("9472538164029537186402753819".prefix(length - 1)),
                    try bench.preferredProtocol), .pinPolicyViolation)
        }
        make("forceChange", "The parameter forceChangePin demands to change the PIN.") { bench, _, set in
            bench.expect(try await set([0x03: true]), .ok)
            let force = try await bench.readInfo().forcePINChange
            bench.expect(force == true, "forcePINChange true", seen: force.map { "\($0)" } ?? "no such member")
        }
        make("forceChangeFalse", "The parameter forceChangePin false demands nothing.") { bench, _, set in
            bench.expect(try await set([0x03: false]), .ok)
            let force = try await bench.readInfo().forcePINChange
            bench.expect(force != true, "forcePINChange false or absent", seen: "forcePINChange true")
        }
        make("wrongType.newMinPINLength", "The subcommand setMinPINLength refuses a minimum that is a text.") {
            bench, _, set in bench.expect(try await set([0x01: "6"]), anyOf: RequestChange.wrongTypeStatuses)
        }
        make("wrongType.rpIDs", "The subcommand setMinPINLength refuses RP IDs outside an array.") { bench, _, set in
            bench.expect(try await set([0x02: "conformance.example"]), anyOf: RequestChange.wrongTypeStatuses)
        }
        make("wrongType.forceChangePin", "The subcommand setMinPINLength refuses a forceChangePin that is a number.") {
            bench, _, set in bench.expect(try await set([0x03: 1]), anyOf: RequestChange.wrongTypeStatuses)
        }
        make("tooManyRPs", "The subcommand setMinPINLength refuses more RP IDs than getInfo allows.") { bench, _, set in
            guard let most = bench.info.maxRPIDsForSetMinPINLength else {
                throw CaseStop.notApplicable("getInfo lacks maxRPIDsForSetMinPINLength")
            }
            let ids = (0...most).map { CBOR.Value.text("rp\($0).conformance.example") }
            bench.expect(try await set([0x02: .array(ids)]), .keyStoreFull)
        }
        make("mostRPs", "The subcommand setMinPINLength accepts as many RP IDs as getInfo allows.") { bench, _, set in
            guard let most = bench.info.maxRPIDsForSetMinPINLength, most > 0 else {
                throw CaseStop.notApplicable("getInfo lacks maxRPIDsForSetMinPINLength")
            }
            let ids = (0..<most).map { CBOR.Value.text("rp\($0).conformance.example") }
            bench.expect(try await set([0x02: .array(ids)]), .ok)
        }
        make("emptyRequest", "The subcommand setMinPINLength without parameters changes nothing.") {
            bench, minimum, set in
            bench.expect(try await set([:]), .ok)
            let after = try await bench.readInfo().minPINLength ?? 4
            bench.expect(after == minimum, "minPINLength \(minimum)", seen: "\(after)")
        }
        Case(
            "config.setMinPINLength.forceWithoutPIN", "The parameter forceChangePin is refused while no PIN is set.",
            clause, from: .noPIN, needs: needs + [.optionOff(.alwaysUv)]
        ) { bench in bench.expect(try await bench.configure(.setMinPINLength, [0x03: true], token: nil), .pinNotSet) }
        Case(
            "config.setMinPINLength.unprotected", "An unprotected authenticator needs no token for setMinPINLength.",
            .ctap("6.11"), from: .noPIN, needs: needs + [.optionOff(.alwaysUv)], effects: [.changesSettings]
        ) { bench in
            bench.expect(try await bench.configure(.setMinPINLength, [0x01: 8], token: nil), .ok)
            let after = try await bench.readInfo().minPINLength ?? 4
            bench.expect(after == 8, "minPINLength 8", seen: "\(after)")
        }
    }

    private static let clause = Clause.ctap("6.11.4")
    private static let needs: [AuthenticatorNeed] = [.optionOn(.setMinPINLength)]

    private typealias Setting = @Sendable (CBOR.Map) async throws -> AuthenticatorAnswer

    private static func make(
        _ name: String, _ title: String,
        _ steps: @escaping @Sendable (AuthenticatorBench, Int, Setting) async throws -> Void
    ) -> Case {
        Case(
            "config.setMinPINLength.\(name)", title, clause, from: .freshPIN, needs: needs, effects: [.changesSettings]
        ) { bench in
            let minimum = try await bench.readInfo().minPINLength ?? 4
            let token = try await bench.pinToken(.authenticatorConfiguration)
            try await steps(bench, minimum) { parameters in
                try await bench.configure(.setMinPINLength, parameters, token: token)
            }
        }
    }
}
