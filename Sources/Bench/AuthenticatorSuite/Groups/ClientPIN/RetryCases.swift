internal import CBOR
internal import CTAP
internal import Conformance

/// PIN retries and their blocks (CTAP 2.3 §6.5.2.2, §6.5.5.2, §6.5.5.7).
enum RetryCases {
    static let all =
        reading + [
            softBlock, rightBetween, softBlockHoldsRightPIN, softBlockHoldsChange, powerCycleLifts, persistent,
            refilled,
        ]
        + PINUVAuthProtocol.allCases.map(decrement) + blocked

    private static let clause = Clause.ctap("6.5.5.2")

    private static let reading: [AuthenticatorCase] = [
        AuthenticatorCase(
            "clientPIN.retries.range",
            "The subcommand getPINRetries gives 1 to 8 retries while a PIN is set and not blocked.",
            clause, from: .pin
        ) { platform in
            let (retries, powerCycleState) = try await platform.pinRetries()
            platform.recorder.expect((1...8).contains(retries), "1 to 8 retries", seen: "\(retries)")
            platform.recorder.expect(
                !powerCycleState, "powerCycleState false or absent", seen: "powerCycleState true")
        },
        AuthenticatorCase(
            "clientPIN.retries.withoutPIN", "The subcommand getPINRetries answers while no PIN is set.", clause,
            level: .should,
            from: .noPIN
        ) { platform in
            platform.expect(try await platform.send(.clientPIN, platform.request(.getPINRetries)), [.ok])
        },
        AuthenticatorCase(
            "clientPIN.retries.withProtocol", "The subcommand getPINRetries ignores a PIN/UV auth protocol.", clause,
            from: .pin
        ) { platform in
            try await platform.accept(
                .clientPIN, platform.request(.getPINRetries, try platform.preferred))
        },
        AuthenticatorCase(
            "clientPIN.retries.onlyItsMembers",
            "The subcommand getPINRetries gives pinRetries and powerCycleState only.", clause,
            from: .pin
        ) { platform in
            let members = try await platform.accept(.clientPIN, platform.request(.getPINRetries))
            platform.recorder.expect(
                Set(members.keys).isSubset(of: [3, 4]), "the members 3 and 4", seen: "\(members.keys)")
        },
        AuthenticatorCase(
            "clientPIN.uvRetries.range",
            "The subcommand getUVRetries gives 1 to 25 retries while built-in verification works.",
            .ctap("6.5.5.3"), from: .uv, needs: [.version(["FIDO_2_1_PRE", "FIDO_2_1", "FIDO_2_2", "FIDO_2_3"])]
        ) { platform in
            let retries = try await platform.uvRetries()
            platform.recorder.expect((1...25).contains(retries), "1 to 25 retries", seen: "\(retries)")
        },
        AuthenticatorCase(
            "clientPIN.uvRetries.withoutUV",
            "The subcommand getUVRetries is an unknown subcommand on an authenticator without built-in verification.",
            .ctap("8.1"), needs: [.member(.pinUvAuthProtocols), .optionOff(.uv)]
        ) { platform in
            try platform.requireAbsent(.uv)
            try await platform.refuse(
                .clientPIN, platform.request(.getUVRetries), with: [.invalidSubcommand, .invalidParameter])
        },
    ]

    private static func decrement(_ pinProtocol: PINUVAuthProtocol) -> AuthenticatorCase {
        let names = PINCaseNames(pinProtocol)
        return AuthenticatorCase(
            names.id("retries.decrement"), names.title("each wrong PIN costs one retry"), .ctap("6.5.5.7.1"),
            from: .pin, needs: names.needs, effects: [.spendsTries]
        ) { platform in
            let before = try await platform.pinRetries().retries
            for spent in 1...2 {
                platform.expect(try await platform.present(Platform.wrongPIN, pinProtocol), [.pinInvalid])
                let left = try await platform.pinRetries().retries
                platform.recorder.expect(left == before - spent, "\(before - spent) retries", seen: "\(left)")
            }
            try await platform.restoreRetries()
        }
    }

    private static let refilled = AuthenticatorCase(
        "clientPIN.retries.refilled", "The right PIN restores all retries.", .ctap("6.5.5.7.1"), from: .pin,
        effects: [.spendsTries]
    ) { platform in
        let before = try await platform.pinRetries().retries
        platform.expect(try await platform.present(Platform.wrongPIN), [.pinInvalid])
        platform.expect(try await platform.present(try platform.pin), [.ok])
        let after = try await platform.pinRetries().retries
        platform.recorder.expect(after == before, "\(before) retries", seen: "\(after)")
    }

    private static let persistent = AuthenticatorCase(
        "clientPIN.retries.persistent", "A power cycle does not restore retries.", .ctap("6.5.2.2"), from: .pin,
        needs: [.powerCycle], effects: [.spendsTries], person: [.replug]
    ) { platform in
        platform.expect(try await platform.present(Platform.wrongPIN), [.pinInvalid])
        let before = try await platform.pinRetries().retries
        try await platform.powerCycle()
        let after = try await platform.pinRetries().retries
        platform.recorder.expect(after == before, "\(before) retries", seen: "\(after)")
        try await platform.restoreRetries()
    }

    // MARK: Three in a row

    private static let softBlock = AuthenticatorCase(
        "clientPIN.retries.threeInARow", "The third wrong PIN in a row blocks the PIN until a power cycle.",
        .ctap("6.5.5.7.1"), from: .pin, needs: [.powerCycle], effects: [.spendsTries], person: [.replug]
    ) { platform in
        try await platform.spendThree()
        let powerCycleState = try await platform.pinRetries().powerCycleState
        platform.recorder.expect(
            powerCycleState, "powerCycleState true", seen: "powerCycleState false or absent", clause: clause,
            level: .may)
        try await platform.restoreRetries()
    }

    private static let rightBetween = AuthenticatorCase(
        "clientPIN.retries.rightBetween", "The right PIN ends the count of wrong ones in a row.", .ctap("6.5.5.7.1"),
        from: .pin, effects: [.spendsTries]
    ) { platform in
        for _ in 1...2 {
            platform.expect(try await platform.present(Platform.wrongPIN), [.pinInvalid])
            platform.expect(try await platform.present(try platform.pin), [.ok])
        }
        for _ in 1...2 { platform.expect(try await platform.present(Platform.wrongPIN), [.pinInvalid]) }
        platform.expect(try await platform.present(try platform.pin), [.ok])
    }

    private static let softBlockHoldsRightPIN = AuthenticatorCase(
        "clientPIN.retries.blockHoldsRightPIN",
        "After three wrong PINs in a row the right PIN is refused and costs no retry.", .ctap("6.5.5.7.1"),
        from: .pin, needs: [.powerCycle], effects: [.spendsTries], person: [.replug]
    ) { platform in
        try await platform.spendThree()
        let before = try await platform.pinRetries().retries
        platform.expect(try await platform.present(try platform.pin), [.pinAuthBlocked])
        let after = try await platform.pinRetries().retries
        platform.recorder.expect(after == before, "\(before) retries", seen: "\(after)")
        try await platform.restoreRetries()
    }

    private static let softBlockHoldsChange = AuthenticatorCase(
        "clientPIN.retries.blockHoldsChange", "After three wrong PINs in a row changePIN is also refused.",
        .ctap("6.5.5.6"), from: .pin, needs: [.powerCycle], effects: [.spendsTries], person: [.replug]
    ) { platform in
        try await platform.spendThree()
        platform.expect(
            try await platform.change(
                from: try platform.pin, to: "61830527", platform.preferred), [.pinAuthBlocked])
        try await platform.restoreRetries()
    }

    private static let powerCycleLifts = AuthenticatorCase(
        "clientPIN.retries.powerCycleLifts", "A power cycle lifts the block of three wrong PINs in a row.",
        .ctap("6.5.2.2"), from: .pin, needs: [.powerCycle], effects: [.spendsTries], person: [.replug]
    ) { platform in
        try await platform.spendThree()
        try await platform.powerCycle()
        platform.expect(try await platform.present(try platform.pin), [.ok])
    }

    // MARK: All of them

    private static let blocked: [AuthenticatorCase] = [
        blocking("blocked", "With its last retry the PIN is blocked, and getPINRetries gives 0.") { platform in
            let retries = try await platform.pinRetries().retries
            platform.recorder.expect(retries == 0, "0 retries", seen: "\(retries)")
        },
        blocking("blockedRightPIN", "A blocked PIN is refused even when it is right.") { platform in
            platform.expect(try await platform.present(try platform.pin), [.pinBlocked])
        },
        blocking("blockedPersists", "A power cycle does not lift the block of a PIN without retries.") { platform in
            try await platform.powerCycle()
            platform.expect(try await platform.present(try platform.pin), [.pinBlocked])
        },
        blocking("blockedChange", "The subcommand changePIN is refused while the PIN is blocked.") { platform in
            platform.expect(
                try await platform.change(
                    from: try platform.pin, to: "61830527", platform.preferred), [.pinBlocked])
        },
        blocking("blockedSet", "The subcommand setPIN is refused while a PIN is set, though it is blocked.") {
            platform in
            platform.expect(
                try await platform.set(Array("61830527".utf8), platform.preferred), [.pinAuthInvalid])
        },
        blocking("blockedReset", "A reset gives a device with a blocked PIN all its retries again.") { platform in
            try await platform.bench.freshDevice()
            try await platform.expectOption(.clientPin, false)
            platform.expect(
                try await platform.set(Array("61830527".utf8), platform.preferred), [.ok])
            let retries = try await platform.pinRetries().retries
            platform.recorder.expect((1...8).contains(retries), "1 to 8 retries", seen: "\(retries)")
        },
    ]

    private static func blocking(
        _ name: String, _ title: String, _ steps: @escaping @Sendable (Platform) async throws -> Void
    ) -> AuthenticatorCase {
        AuthenticatorCase(
            "clientPIN.retries.\(name)", title, .ctap("6.5.5.7.1"), from: .pin, needs: [.powerCycle],
            effects: [.spendsTries, .erases], person: [.replug, .replug, .replug, .touch]
        ) { platform in
            try await platform.blockPIN()
            try await steps(platform)
        }
    }
}

extension Platform {
    /// Presents three wrong PINs; the third answer must be the block.
    func spendThree() async throws {
        for status in [CTAPStatus.pinInvalid, .pinInvalid, .pinAuthBlocked] {
            expect(try await present(Self.wrongPIN), [status])
        }
    }

    /// Presents wrong PINs, with power cycles in between, until no retry is left.
    func blockPIN() async throws {
        let retries = try await pinRetries().retries
        try recorder.require((1...8).contains(retries), "1 to 8 retries", seen: "\(retries)")
        for spent in 1...retries {
            let answer = try await present(Self.wrongPIN)
            let isThird = spent % 3 == 0
            expect(answer, [spent == retries ? .pinBlocked : isThird ? .pinAuthBlocked : .pinInvalid])
            if isThird, spent < retries { try await powerCycle() }
        }
    }
}
