internal import CBOR
internal import CTAP
internal import Conformance

extension AuthenticatorSuite {
    /// The state of commands that continue others (CTAP 2.3 §6, stateful commands).
    package static let state = Group("state", "State between commands", StateCases.all)
}

enum StateCases {
    static let all = notBegun + interruptions + [sequence, exhausted, powerCycle, expired, refreshed]

    private static let clause = Clause.ctap("6.3")
    private static let needs: [AuthenticatorNeed] = [.discoverableCredentials, .optionOff(.alwaysUv)]

    private static let notBegun: [AuthenticatorCase] = [
        AuthenticatorCase(
            "state.getNextAssertion.notBegun",
            "The command getNextAssertion without a getAssertion before it is refused.", clause
        ) { platform in
            _ = try await platform.information()
            try await platform.refuse(.getNextAssertion, with: [.notAllowed])
        },
        AuthenticatorCase(
            "state.getNextAssertion.single",
            "The command getNextAssertion after an assertion of a single credential is refused.",
            clause, needs: [.credentials, .optionOff(.alwaysUv)], person: [.touch]
        ) { platform in
            let made = try await platform.bench.sharedCredential(platform.recorder)
            platform.expect(try await platform.assert(silently: true, allowing: [made]), [.ok])
            try await platform.refuse(.getNextAssertion, with: [.notAllowed])
        },
        AuthenticatorCase(
            "state.getNextAssertion.afterRefusal", "The command getNextAssertion after a refused assertion is refused.",
            clause,
            needs: needs, effects: [.addsCredential], person: [.touch, .touch]
        ) { platform in
            try await platform.beginAssertions()
            platform.expect(
                try await platform.assert(silently: true, rpID: "other.\(platform.rpID)"), [.noCredentials])
            try await platform.refuse(.getNextAssertion, with: [.notAllowed])
        },
    ]

    /// Commands that end a run of assertions.
    private static let others: [(String, [AuthenticatorNeed], @Sendable (Platform) async throws -> Void)] = [
        ("getInfo", [], { _ = try await $0.send(.getInfo) }),
        ("clientPIN", [.option(.clientPin)], { _ = try await $0.send(.clientPIN, $0.request(.getPINRetries)) }),
        ("largeBlobs", [.optionOn(.largeBlobs)], { _ = try await $0.send(.largeBlobs, [0x01: 17, 0x03: 0]) }),
        ("unknownCommand", [], { _ = try await $0.bench.send([0x3F]) }),
        (
            "credentialManagement", [.optionOn(.credMgmt)],
            { _ = try await $0.send(.credentialManagement, [0x01: 0x03]) }
        ),
    ]

    private static let interruptions: [AuthenticatorCase] = others.map { name, more, interrupt in
        AuthenticatorCase(
            "state.getNextAssertion.interrupted.\(name)", "The command \(name) ends a run of assertions.", .ctap("6"),
            level: name == "unknownCommand" ? .should : .must, needs: needs + more, effects: [.addsCredential],
            person: [.touch, .touch]
        ) { platform in
            try await platform.beginAssertions()
            try await interrupt(platform)
            try await platform.refuse(.getNextAssertion, with: [.notAllowed])
        }
    }

    private static let sequence = AuthenticatorCase(
        "state.getNextAssertion.order", "A run of assertions gives the newest credential first.", clause,
        needs: needs, effects: [.addsCredential], person: [.touch, .touch, .touch]
    ) { platform in
        var made: [[UInt8]] = []
        for number in 0..<3 {
            made.append(try await platform.makeAny(discoverable: true, userID: [0xD0, UInt8(number)]).id)
        }
        let first = try await platform.assert(silently: true, rpID: platform.rpID)
        platform.expect(first.map, 0x05, "numberOfCredentials", 3)
        var ids = [try platform.credentialID(first)]
        for _ in 1..<3 { ids.append(try platform.credentialID(try await platform.send(.getNextAssertion))) }
        platform.recorder.expect(ids == made.reversed(), "the newest first", seen: "another order")
    }

    private static let exhausted = AuthenticatorCase(
        "state.getNextAssertion.end", "The command getNextAssertion after the last credential is refused.", clause,
        needs: needs,
        effects: [.addsCredential], person: [.touch, .touch]
    ) { platform in
        try await platform.beginAssertions()
        try await platform.accept(.getNextAssertion)
        try await platform.refuse(.getNextAssertion, with: [.notAllowed])
    }

    private static let powerCycle = AuthenticatorCase(
        "state.getNextAssertion.powerCycle", "A power cycle ends a run of assertions.", clause,
        needs: needs + [.powerCycle], effects: [.addsCredential], person: [.touch, .touch, .replug]
    ) { platform in
        try await platform.beginAssertions()
        try await platform.powerCycle()
        try await platform.refuse(.getNextAssertion, with: [.notAllowed])
    }

    private static let expired = AuthenticatorCase(
        "state.getNextAssertion.expired", "The command getNextAssertion later than thirty seconds is refused.", clause,
        needs: needs + [.simulatedUser], effects: [.addsCredential], person: [.touch, .touch]
    ) { platform in
        try await platform.beginAssertions()
        try await platform.advance(by: .seconds(31))
        try await platform.refuse(.getNextAssertion, with: [.notAllowed])
    }

    private static let refreshed = AuthenticatorCase(
        "state.getNextAssertion.refreshed", "Each getNextAssertion begins its thirty seconds anew.", clause,
        needs: needs + [.simulatedUser], effects: [.addsCredential], person: [.touch, .touch, .touch]
    ) { platform in
        _ = try await platform.makeAny(discoverable: true, userID: [0xD9])
        try await platform.beginAssertions()
        for _ in 1...2 {
            try await platform.advance(by: .seconds(20))
            try await platform.accept(.getNextAssertion)
        }
    }
}

extension Platform {
    /// Begins a run of assertions of two new credentials, or of more where the case made some before.
    func beginAssertions() async throws {
        for number in 0..<2 { _ = try await makeAny(discoverable: true, userID: [0xD0, UInt8(number)]) }
        try recorder.require(try await assert(silently: true, rpID: rpID), .ok)
    }

    /// The ID of the credential that an assertion names.
    func credentialID(_ answer: AuthenticatorAnswer) throws(CaseStop) -> [UInt8] {
        guard case .map(let descriptor)? = try members(of: answer)[0x01], case .bytes(let id)? = descriptor["id"]
        else { throw recorder.fail("the credential's descriptor", seen: "none") }
        return id
    }
}
