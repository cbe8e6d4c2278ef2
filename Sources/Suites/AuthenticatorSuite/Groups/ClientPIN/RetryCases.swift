internal import CBOR
internal import CTAP
internal import Conformance

/// PIN retries and their blocks (CTAP 2.3 §6.5.2.2, §6.5.5.2, §6.5.5.7).
enum RetryCases {
    static let all =
        reading + [
            softBlock, rightBetween, softBlockHoldsRightPIN, softBlockHoldsChange, powerCycleLifts, persistent,
            refilled,
        ] + PINUVAuthProtocol.allCases.map(decrement) + blocked

    private static let clause = Clause.ctap("6.5.5.2")

    @CaseTable private static var reading: [Case] {
        Case(
            "clientPIN.retries.range",
            "The subcommand getPINRetries gives 1 to 8 retries while a PIN is set and not blocked.", clause, from: .pin
        ) { bench in
            let (retries, powerCycleState) = try await bench.pinRetries()
            bench.expect((1...8).contains(retries), "1 to 8 retries", seen: "\(retries)")
            bench.expect(!powerCycleState, "powerCycleState false or absent", seen: "powerCycleState true")
        }
        Case(
            "clientPIN.retries.withoutPIN", "The subcommand getPINRetries answers while no PIN is set.", clause,
            level: .should, from: .noPIN
        ) { bench in bench.expect(try await bench.send(.clientPIN, bench.retriesRequest), .ok) }
        Case(
            "clientPIN.retries.withProtocol", "The subcommand getPINRetries ignores a PIN/UV auth protocol.", clause,
            from: .pin
        ) { bench in try await bench.accept(.clientPIN, bench.request(.getPINRetries, try bench.preferredProtocol)) }
        Case(
            "clientPIN.retries.withoutProtocol", "The subcommand getPINRetries needs no PIN/UV auth protocol.", clause,
            from: .pin, needs: [.version(["FIDO_2_1", "FIDO_2_2", "FIDO_2_3"])]
        ) { bench in try await bench.accept(.clientPIN, bench.request(.getPINRetries)) }
        Case(
            "clientPIN.retries.onlyItsMembers",
            "The subcommand getPINRetries gives pinRetries and powerCycleState only.", clause, from: .pin
        ) { bench in
            let members = try await bench.accept(.clientPIN, bench.retriesRequest)
            bench.expect(Set(members.keys).isSubset(of: [3, 4]), "the members 3 and 4", seen: "\(members.keys)")
        }
        Case(
            "clientPIN.uvRetries.range",
            "The subcommand getUVRetries gives 1 to 25 retries while built-in verification works.",
            .ctap("6.5.5.3"), from: .uv, needs: [.version(["FIDO_2_1_PRE", "FIDO_2_1", "FIDO_2_2", "FIDO_2_3"])]
        ) { bench in
            let retries = try await bench.uvRetries()
            bench.expect((1...25).contains(retries), "1 to 25 retries", seen: "\(retries)")
        }
        Case(
            "clientPIN.uvRetries.withoutUV",
            "The subcommand getUVRetries is an unknown subcommand on an authenticator without built-in verification.",
            .ctap("8.1"), needs: [.member(.pinUvAuthProtocols), .optionOff(.uv)]
        ) { bench in
            try bench.requireAbsent(.uv)
            try await bench.refuse(
                .clientPIN, bench.request(.getUVRetries), with: [.invalidSubcommand, .invalidParameter])
        }
    }

    private static func decrement(_ pinProtocol: PINUVAuthProtocol) -> Case {
        let names = PINCaseNames(pinProtocol)
        return Case(
            names.id("retries.decrement"), names.title("each wrong PIN costs one retry"), .ctap("6.5.5.7.1"),
            from: .pin, needs: names.needs, effects: [.spendsTries]
        ) { bench in
            let before = try await bench.pinRetries().retries
            for spent in 1...2 {
                bench.expect(try await bench.present(AuthenticatorBench.wrongPIN, pinProtocol), .pinInvalid)
                let left = try await bench.pinRetries().retries
                bench.expect(left == before - spent, "\(before - spent) retries", seen: "\(left)")
            }
            try await bench.restoreRetries()
        }
    }

    private static let refilled = Case(
        "clientPIN.retries.refilled", "The right PIN restores all retries.", .ctap("6.5.5.7.1"), from: .pin,
        effects: [.spendsTries]
    ) { bench in
        let before = try await bench.pinRetries().retries
        bench.expect(try await bench.present(AuthenticatorBench.wrongPIN), .pinInvalid)
        bench.expect(try await bench.present(try bench.knownPIN), .ok)
        let after = try await bench.pinRetries().retries
        bench.expect(after == before, "\(before) retries", seen: "\(after)")
    }

    private static let persistent = Case(
        "clientPIN.retries.persistent", "A power cycle does not restore retries.", .ctap("6.5.2.2"), from: .pin,
        needs: [.powerCycle], effects: [.spendsTries], person: [.replug]
    ) { bench in
        bench.expect(try await bench.present(AuthenticatorBench.wrongPIN), .pinInvalid)
        let before = try await bench.pinRetries().retries
        try await bench.powerCycle()
        let after = try await bench.pinRetries().retries
        bench.expect(after == before, "\(before) retries", seen: "\(after)")
        try await bench.restoreRetries()
    }

    // MARK: Three in a row

    private static let softBlock = Case(
        "clientPIN.retries.threeInARow", "The third wrong PIN in a row blocks the PIN until a power cycle.",
        .ctap("6.5.5.7.1"), from: .pin, needs: [.powerCycle], effects: [.spendsTries], person: [.replug]
    ) { bench in
        try await bench.spendThree()
        let powerCycleState = try await bench.pinRetries().powerCycleState
        bench.expect(
            powerCycleState, "powerCycleState true", seen: "powerCycleState false or absent", clause: clause,
            level: .may)
        try await bench.restoreRetries()
    }

    private static let rightBetween = Case(
        "clientPIN.retries.rightBetween", "The right PIN ends the count of wrong ones in a row.", .ctap("6.5.5.7.1"),
        from: .pin, effects: [.spendsTries]
    ) { bench in
        for _ in 1...2 {
            bench.expect(try await bench.present(AuthenticatorBench.wrongPIN), .pinInvalid)
            bench.expect(try await bench.present(try bench.knownPIN), .ok)
        }
        for _ in 1...2 { bench.expect(try await bench.present(AuthenticatorBench.wrongPIN), .pinInvalid) }
        bench.expect(try await bench.present(try bench.knownPIN), .ok)
    }

    private static let softBlockHoldsRightPIN = Case(
        "clientPIN.retries.blockHoldsRightPIN",
        "After three wrong PINs in a row the right PIN is refused and costs no retry.", .ctap("6.5.5.7.1"),
        from: .pin, needs: [.powerCycle], effects: [.spendsTries], person: [.replug]
    ) { bench in
        try await bench.spendThree()
        let before = try await bench.pinRetries().retries
        bench.expect(try await bench.present(try bench.knownPIN), .pinAuthBlocked)
        let after = try await bench.pinRetries().retries
        bench.expect(after == before, "\(before) retries", seen: "\(after)")
        try await bench.restoreRetries()
    }

    private static let softBlockHoldsChange = Case(
        "clientPIN.retries.blockHoldsChange", "After three wrong PINs in a row changePIN is also refused.",
        .ctap("6.5.5.6"), from: .pin, needs: [.powerCycle], effects: [.spendsTries], person: [.replug]
    ) { bench in
        try await bench.spendThree()
        bench.expect(
            try await bench.changePIN(
                from: try bench.knownPIN, to: "61830527", bench.preferredProtocol), .pinAuthBlocked)
        try await bench.restoreRetries()
    }

    private static let powerCycleLifts = Case(
        "clientPIN.retries.powerCycleLifts", "A power cycle lifts the block of three wrong PINs in a row.",
        .ctap("6.5.2.2"), from: .pin, needs: [.powerCycle], effects: [.spendsTries], person: [.replug]
    ) { bench in
        try await bench.spendThree()
        try await bench.powerCycle()
        bench.expect(try await bench.present(try bench.knownPIN), .ok)
    }

    // MARK: All of them

    @CaseTable private static var blocked: [Case] {
        blocking("blocked", "With its last retry the PIN is blocked, and getPINRetries gives 0.") { bench in
            let retries = try await bench.pinRetries().retries
            bench.expect(retries == 0, "0 retries", seen: "\(retries)")
        }
        blocking("blockedRightPIN", "A blocked PIN is refused even when it is right.") { bench in
            bench.expect(try await bench.present(try bench.knownPIN), .pinBlocked)
        }
        blocking("blockedPersists", "A power cycle does not lift the block of a PIN without retries.") { bench in
            try await bench.powerCycle()
            bench.expect(try await bench.present(try bench.knownPIN), .pinBlocked)
        }
        blocking("blockedChange", "The subcommand changePIN is refused while the PIN is blocked.") { bench in
            bench.expect(
                try await bench.changePIN(
                    from: try bench.knownPIN, to: "61830527", bench.preferredProtocol), .pinBlocked)
        }
        blocking("blockedSet", "The subcommand setPIN is refused while a PIN is set, though it is blocked.") { bench in
            bench.expect(try await bench.setPIN(Array("61830527".utf8), bench.preferredProtocol), .pinAuthInvalid)
        }
        blocking("blockedReset", "A reset gives a device with a blocked PIN all its retries again.") { bench in
            try await bench.freshDevice()
            try await bench.expectOption(.clientPin, false)
            bench.expect(try await bench.setPIN(Array("61830527".utf8), bench.preferredProtocol), .ok)
            let retries = try await bench.pinRetries().retries
            bench.expect((1...8).contains(retries), "1 to 8 retries", seen: "\(retries)")
        }
    }

    private static func blocking(
        _ name: String, _ title: String, _ steps: @escaping @Sendable (AuthenticatorBench) async throws -> Void
    ) -> Case {
        Case(
            "clientPIN.retries.\(name)", title, .ctap("6.5.5.7.1"), from: .pin, needs: [.powerCycle],
            effects: [.spendsTries, .erases], person: [.replug, .replug, .replug, .touch]
        ) { bench in
            try await bench.blockPIN()
            try await steps(bench)
        }
    }
}

extension AuthenticatorBench {
    /// Presents three wrong PINs; the third answer must be the block.
    func spendThree() async throws {
        for status in [CTAPStatus.pinInvalid, .pinInvalid, .pinAuthBlocked] {
            expect(try await present(Self.wrongPIN), status)
        }
    }

    /// Presents wrong PINs, with power cycles in between, until no retry is left.
    func blockPIN() async throws {
        let retries = try await pinRetries().retries
        try require((1...8).contains(retries), "1 to 8 retries", seen: "\(retries)")
        for spent in 1...retries {
            let answer = try await present(Self.wrongPIN)
            let isThird = spent % 3 == 0
            expect(answer, anyOf: [spent == retries ? .pinBlocked : isThird ? .pinAuthBlocked : .pinInvalid])
            if isThird, spent < retries { try await powerCycle() }
        }
    }
}
