internal import CBOR
internal import CTAP
internal import Conformance

/// Changing the PIN (CTAP 2.3 §6.5.5.6).
enum ChangePINCases {
    static let all = PINUVAuthProtocol.allCases.flatMap { cases(PINCaseNames($0)) }

    private static let clause = Clause.ctap("6.5.5.6")
    private static let newPIN = "61830527"

    private static let malformed: [RequestChange] = [
        .missing(PINMember.pinUvAuthProtocol, "pinUvAuthProtocol"), .missing(PINMember.keyAgreement, "keyAgreement"),
        .missing(PINMember.pinUvAuthParam, "pinUvAuthParam"), .missing(PINMember.newPinEnc, "newPinEnc"),
        .missing(PINMember.pinHashEnc, "pinHashEnc"), .wrongType(PINMember.pinHashEnc, "pinHashEnc", "hash"),
        .value(
            "unknownProtocol", "of an unknown PIN/UV auth protocol", PINMember.pinUvAuthProtocol, 0x7E,
            [.invalidParameter]),
    ]

    @CaseTable private static func cases(_ names: PINCaseNames) -> [Case] {
        for change in malformed {
            Case(
                names.id("changePIN.\(change.name)"), names.title("changePIN \(change.words) is refused"), clause,
                from: .pin, needs: names.needs
            ) { bench in
                var request = try bench.changePINRequest(
                    try await bench.agree(names.pinProtocol), from: try bench.knownPIN, to: Array(newPIN.utf8))
                change.apply(&request)
                try await bench.refuse(.clientPIN, request, with: change.statuses)
            }
        }
        for change in SetPINCases.wrongKeys {
            Case(
                names.id("changePIN.\(change.name)"),
                names.title("changePIN \(change.words) is refused and costs no retry"), clause, from: .pin,
                needs: names.needs + [.ctap21]
            ) { bench in
                try await bench.keepingRetries {
                    // The same PIN: a key that accepts the request keeps it.
                    let pin = try bench.knownPIN
                    var request = try bench.changePINRequest(
                        try await bench.agree(names.pinProtocol), from: pin, to: Array(pin.utf8))
                    change.apply(&request)
                    try await bench.refuse(.clientPIN, request, with: change.statuses)
                }
            }
        }
        changing(names)
        undecipherable(names)
        threeWrong(names)
        wrongPIN(names)
        wrongParam(names)
        notSet(names)
        endsTokens(names)
        policy(names, "tooShort", "a PIN below the minimum length", [.pinPolicyViolation]) {
            Array(newPIN.utf8.prefix($0 - 1))
        }
        policy(names, "shortPadding", "a PIN padded to 48 bytes", [.invalidParameter], paddedTo: 48) { _ in
            Array(newPIN.utf8)
        }
    }

    private static func changing(_ names: PINCaseNames) -> Case {
        Case(
            names.id("changePIN.success"),
            names.title("changePIN makes the new PIN the valid one, and the old one wrong"), clause, from: .pin,
            needs: names.needs, effects: [.changesPIN, .spendsTries]
        ) { bench in
            let old = try bench.knownPIN
            let answer = try await bench.changePIN(from: old, to: newPIN, names.pinProtocol)
            bench.expectEmptySuccess(answer)
            bench.expect(try await bench.present(newPIN, names.pinProtocol), .ok)
            bench.expect(try await bench.present(old, names.pinProtocol), .pinInvalid)
            bench.expect(try await bench.changePIN(from: newPIN, to: old, names.pinProtocol), .ok)
        }
    }

    private static func wrongPIN(_ names: PINCaseNames) -> Case {
        Case(
            names.id("changePIN.wrongPIN"),
            names.title("changePIN with a wrong current PIN is refused and costs one retry"), clause, from: .pin,
            needs: names.needs, effects: [.spendsTries]
        ) { bench in
            let before = try await bench.pinRetries().retries
            bench.expect(
                try await bench.changePIN(from: AuthenticatorBench.wrongPIN, to: newPIN, names.pinProtocol), .pinInvalid
            )
            let after = try await bench.pinRetries().retries
            bench.expect(after == before - 1, "\(before - 1) retries", seen: "\(after)")
            try await bench.restoreRetries()
        }
    }

    private static func undecipherable(_ names: PINCaseNames) -> Case {
        Case(
            names.id("changePIN.undecipherable"),
            names.title("changePIN with a newPinEnc that ends within a block is refused"), clause, from: .pin,
            needs: names.needs + [.ctap21]
        ) { bench in
            let agreed = try await bench.agree(names.pinProtocol)
            let pin = try bench.knownPIN
            var request = try bench.changePINRequest(agreed, from: pin, to: Array(pin.utf8))
            let shortened = try bench.bytes(request, PINMember.newPinEnc, "newPinEnc").dropLast()
            let hash = try bench.bytes(request, PINMember.pinHashEnc, "pinHashEnc")
            request[PINMember.newPinEnc] = .bytes(Array(shortened))
            request[PINMember.pinUvAuthParam] = .bytes(agreed.authenticate(shortened + hash))
            try await bench.refuse(.clientPIN, request, with: [.pinAuthInvalid])
        }
    }

    private static func threeWrong(_ names: PINCaseNames) -> Case {
        Case(
            names.id("changePIN.threeWrong"),
            names.title("the third wrong PIN in a row in changePIN blocks the PIN until a power cycle"), clause,
            from: .pin, needs: names.needs + [.powerCycle], effects: [.spendsTries], person: [.replug]
        ) { bench in
            for status in [CTAPStatus.pinInvalid, .pinInvalid, .pinAuthBlocked] {
                bench.expect(
                    try await bench.changePIN(from: AuthenticatorBench.wrongPIN, to: newPIN, names.pinProtocol), status)
            }
            try await bench.restoreRetries()
        }
    }

    private static func wrongParam(_ names: PINCaseNames) -> Case {
        Case(
            names.id("changePIN.wrongParam"),
            names.title("changePIN whose pinUvAuthParam covers newPinEnc only is refused and costs no retry"), clause,
            from: .pin, needs: names.needs
        ) { bench in
            try await bench.keepingRetries {
                let agreed = try await bench.agree(names.pinProtocol)
                var request = try bench.changePINRequest(agreed, from: try bench.knownPIN, to: Array(newPIN.utf8))
                let newPinEnc = try bench.bytes(request, PINMember.newPinEnc, "newPinEnc")
                request[PINMember.pinUvAuthParam] = .bytes(agreed.authenticate(newPinEnc))
                try await bench.refuse(.clientPIN, request, with: [.pinAuthInvalid])
            }
        }
    }

    private static func notSet(_ names: PINCaseNames) -> Case {
        Case(
            names.id("changePIN.notSet"), names.title("changePIN is refused while no PIN is set"), clause,
            from: .noPIN, needs: names.needs
        ) { bench in
            bench.expect(
                try await bench.changePIN(from: AuthenticatorBench.wrongPIN, to: newPIN, names.pinProtocol), .pinNotSet)
        }
    }

    private static func endsTokens(_ names: PINCaseNames) -> Case {
        Case(
            names.id("changePIN.endsTokens"), names.title("changePIN ends earlier tokens"),
            clause, from: .pin, needs: names.needs + [.optionOn(.pinUvAuthToken)], effects: [.changesPIN]
        ) { bench in
            let old = try bench.knownPIN
            let token = try await bench.pinToken(.getAssertion, rpID: bench.relyingPartyID, protocol: names.pinProtocol)
            bench.expect(try await bench.changePIN(from: old, to: newPIN, names.pinProtocol), .ok)
            bench.expect(try await bench.assert(silently: true, token: token), .pinAuthInvalid)
            bench.expect(try await bench.changePIN(from: newPIN, to: old, names.pinProtocol), .ok)
        }
    }

    private static func policy(
        _ names: PINCaseNames, _ name: String, _ words: String, _ statuses: [CTAPStatus], paddedTo length: Int = 64,
        _ pin: @escaping @Sendable (Int) -> [UInt8]
    ) -> Case {
        Case(
            names.id("changePIN.pin.\(name)"), names.title("changePIN to \(words) is refused and keeps the PIN"),
            clause, from: .pin, needs: names.needs
        ) { bench in
            let old = try bench.knownPIN
            let minimum = try await bench.readInfo().minPINLength ?? 4
            let request = try bench.changePINRequest(
                try await bench.agree(names.pinProtocol), from: old, to: pin(minimum), paddedTo: length)
            try await bench.refuse(.clientPIN, request, with: statuses)
            bench.expect(try await bench.present(old, names.pinProtocol), .ok)
        }
    }
}

extension AuthenticatorBench {
    /// Changes the PIN; the answer is empty or the refusal.
    func changePIN(
        from current: String, to pin: String, _ pinProtocol: PINUVAuthProtocol
    ) async throws -> AuthenticatorAnswer {
        try await send(
            .clientPIN, try changePINRequest(try await agree(pinProtocol), from: current, to: Array(pin.utf8)))
    }
}
