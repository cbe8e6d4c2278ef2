internal import CBOR
internal import CTAP
internal import Conformance

extension AuthenticatorSuite {
    /// The state of commands that continue others (CTAP 2.3 §6, stateful commands).
    package static let state = Group("state", "State between commands", StateCases.all)
}

enum StateCases {
    static let all =
        notBegun + interruptions + [
            sequence, exhausted, powerCycle, expired, refreshed, kept, keptOutside, firstCommand,
        ]

    private static let clause = Clause.ctap("6.3")
    private static let needs: [AuthenticatorNeed] = [.discoverableCredentials, .optionOff(.alwaysUv)]

    @CaseTable private static var notBegun: [Case] {
        Case(
            "state.getNextAssertion.notBegun",
            "The command getNextAssertion without a getAssertion before it is refused.", clause
        ) { bench in
            _ = try await bench.readInfo()
            try await bench.refuse(.getNextAssertion, with: [.notAllowed])
        }
        Case(
            "state.getNextAssertion.single",
            "The command getNextAssertion after an assertion of a single credential is refused.",
            clause, needs: [.credentials, .optionOff(.alwaysUv)], person: [.touch]
        ) { bench in
            let made = try await bench.sharedCredential()
            bench.expect(try await bench.assert(silently: true, allowing: [made]), .ok)
            try await bench.refuse(.getNextAssertion, with: [.notAllowed])
        }
        Case(
            "state.getNextAssertion.afterRefusal", "The command getNextAssertion after a refused assertion is refused.",
            clause, needs: needs, effects: [.addsCredential], person: [.touch, .touch]
        ) { bench in
            try await bench.beginAssertions()
            bench.expectRefusal(
                try await bench.assert(silently: true, rpID: "other.\(bench.relyingPartyID)"),
                of: "an assertion for another RP")
            try await bench.refuse(.getNextAssertion, with: [.notAllowed])
        }
    }

    /// Commands that end a run of assertions.
    private static let others: [(String, [AuthenticatorNeed], @Sendable (AuthenticatorBench) async throws -> Void)] = [
        ("getInfo", [], { _ = try await $0.send(.getInfo) }),
        ("clientPIN", [.option(.clientPin)], { _ = try await $0.send(.clientPIN, $0.retriesRequest) }),
        ("largeBlobs", [.optionOn(.largeBlobs)], { _ = try await $0.send(.largeBlobs, [0x01: 17, 0x03: 0]) }),
        ("unknownCommand", [], { _ = try await $0.send([0x3F]) }),
        (
            "credentialManagement", [.optionOn(.credMgmt)],
            { _ = try await $0.send(.credentialManagement, [0x01: 0x03]) }
        ),
    ]

    @CaseTable private static var interruptions: [Case] {
        for (name, more, interrupt) in others {
            Case(
                "state.getNextAssertion.interrupted.\(name)", "The command \(name) ends a run of assertions.",
                .ctap("6"), level: name == "unknownCommand" ? .should : .must, needs: needs + more,
                effects: [.addsCredential], person: [.touch, .touch]
            ) { bench in
                try await bench.beginAssertions()
                try await interrupt(bench)
                try await bench.refuse(.getNextAssertion, with: [.notAllowed])
            }
        }
    }

    private static let sequence = Case(
        "state.getNextAssertion.order", "A run of assertions gives the newest credential first.", clause,
        needs: needs, effects: [.addsCredential], person: [.touch, .touch, .touch]
    ) { bench in
        var made: [[UInt8]] = []
        for number in 0..<3 {
            made.append(try await bench.makeAny(discoverable: true, userID: [0xD0, UInt8(number)]).id)
        }
        let first = try await bench.assert(silently: true, rpID: bench.relyingPartyID)
        bench.expect(first.map, 0x05, "numberOfCredentials", 3)
        var ids = [try bench.credentialID(first)]
        for _ in 1..<3 { ids.append(try bench.credentialID(try await bench.send(.getNextAssertion))) }
        bench.expect(ids == made.reversed(), "the newest first", seen: "another order")
    }

    private static let exhausted = Case(
        "state.getNextAssertion.end", "The command getNextAssertion after the last credential is refused.", clause,
        needs: needs, effects: [.addsCredential], person: [.touch, .touch]
    ) { bench in
        try await bench.beginAssertions()
        try await bench.accept(.getNextAssertion)
        try await bench.refuse(.getNextAssertion, with: [.notAllowed])
    }

    private static let powerCycle = Case(
        "state.getNextAssertion.powerCycle", "A power cycle ends a run of assertions.", clause,
        needs: needs + [.powerCycle], effects: [.addsCredential], person: [.touch, .touch, .replug]
    ) { bench in
        try await bench.beginAssertions()
        try await bench.powerCycle()
        try await bench.refuse(.getNextAssertion, with: [.notAllowed])
    }

    private static let kept = Case(
        "state.credential.powerCycle", "A discoverable credential outlives a power cycle.", .ctap("6.1.2", step: "16"),
        needs: needs + [.powerCycle], effects: [.addsCredential], person: [.touch, .replug]
    ) { bench in
        let made = try await bench.makeAny(discoverable: true)
        try await bench.expectAssertionAfterPowerCycle(rpID: made.relyingPartyID)
    }

    private static let keptOutside = Case(
        "state.credential.nonDiscoverable.powerCycle", "A credential that is not discoverable outlives a power cycle.",
        .webauthn("6.2.2"), needs: [.ctap2, .credentials, .powerCycle], person: [.touch, .replug]
    ) { bench in
        let made = try await bench.makeAny()
        try await bench.expectAssertionAfterPowerCycle(rpID: made.relyingPartyID, allowing: [made])
    }

    private static let firstCommand = Case(
        "state.firstCommand", "The authenticator answers another command before getInfo after a power cycle.",
        .ctap("8.1"),
        level: .should, needs: [.powerCycle, .option(.clientPin)], person: [.replug]
    ) { bench in
        try await bench.powerCycle()
        _ = try await bench.send(.clientPIN, bench.retriesRequest)
        bench.expect(
            !bench.needsInfoFirst, "an answer to the first command",
            seen: "\(CTAPStatus.invalidCommand.specified) for ClientPIN before getInfo")
    }

    private static let expired = Case(
        "state.getNextAssertion.expired", "The command getNextAssertion later than thirty seconds is refused.", clause,
        needs: needs + [.simulatedDevice], effects: [.addsCredential], person: [.touch, .touch]
    ) { bench in
        try await bench.beginAssertions()
        try await bench.wait(.seconds(31))
        try await bench.refuse(.getNextAssertion, with: [.notAllowed])
    }

    private static let refreshed = Case(
        "state.getNextAssertion.refreshed", "Each getNextAssertion begins its thirty seconds anew.", clause,
        needs: needs + [.simulatedDevice], effects: [.addsCredential], person: [.touch, .touch, .touch]
    ) { bench in
        _ = try await bench.makeAny(discoverable: true, userID: [0xD9])
        try await bench.beginAssertions()
        for _ in 1...2 {
            try await bench.wait(.seconds(20))
            try await bench.accept(.getNextAssertion)
        }
    }
}

extension AuthenticatorBench {
    /// Begins a run of assertions of two new credentials, or of more where the case made some before.
    func beginAssertions() async throws {
        for number in 0..<2 { _ = try await makeAny(discoverable: true, userID: [0xD0, UInt8(number)]) }
        try await record.preparing("the first assertion") {
            try require(try await assert(silently: true, rpID: relyingPartyID), .ok)
        }
    }

    /// Gives the assertion, takes the power away, and expects the assertion again.
    fileprivate func expectAssertionAfterPowerCycle(
        rpID: String, allowing credentials: [BenchCredential] = []
    ) async throws {
        let before = try await assert(silently: true, rpID: rpID, allowing: credentials)
        guard before.status == .ok else {
            throw CaseStop.blocked("its assertion before the power cycle is refused with \(before.seen)")
        }
        try await powerCycle()
        expect(try await assert(silently: true, rpID: rpID, allowing: credentials), .ok, for: "its assertion")
    }

    func credentialID(_ answer: AuthenticatorAnswer) throws(CaseStop) -> [UInt8] {
        try credentialID(in: try members(of: answer))
    }
}
