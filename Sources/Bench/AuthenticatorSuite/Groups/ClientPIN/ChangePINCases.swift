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

    private static func cases(_ names: PINCaseNames) -> [AuthenticatorCase] {
        malformed.map { change in
            AuthenticatorCase(
                names.id("changePIN.\(change.name)"), names.title("changePIN \(change.words) is refused"), clause,
                from: .pin, needs: names.needs
            ) { platform in
                var request = try platform.changePINRequest(
                    try await platform.agree(names.pinProtocol), from: try platform.pin, to: Array(newPIN.utf8))
                change.apply(&request)
                try await platform.refuse(.clientPIN, request, with: change.statuses)
            }
        } + [
            changing(names), wrongPIN(names), wrongParam(names), notSet(names), endsTokens(names),
            policy(names, "tooShort", "a PIN below the minimum length", [.pinPolicyViolation]) {
                Array(newPIN.utf8.prefix($0 - 1))
            },
            policy(names, "shortPadding", "a PIN padded to 48 bytes", [.invalidParameter], paddedTo: 48) { _ in
                Array(newPIN.utf8)
            },
        ]
    }

    private static func changing(_ names: PINCaseNames) -> AuthenticatorCase {
        AuthenticatorCase(
            names.id("changePIN.success"),
            names.title("changePIN makes the new PIN the valid one, and the old one wrong"), clause, from: .pin,
            needs: names.needs, effects: [.changesPIN, .spendsTries]
        ) { platform in
            let old = try platform.pin
            let answer = try await platform.change(from: old, to: newPIN, names.pinProtocol)
            _ = try platform.members(of: answer)
            platform.expect(try await platform.present(newPIN, names.pinProtocol), [.ok])
            platform.expect(try await platform.present(old, names.pinProtocol), [.pinInvalid])
            platform.expect(try await platform.change(from: newPIN, to: old, names.pinProtocol), [.ok])
        }
    }

    private static func wrongPIN(_ names: PINCaseNames) -> AuthenticatorCase {
        AuthenticatorCase(
            names.id("changePIN.wrongPIN"),
            names.title("changePIN with a wrong current PIN is refused and costs one retry"), clause, from: .pin,
            needs: names.needs, effects: [.spendsTries]
        ) { platform in
            let before = try await platform.pinRetries().retries
            platform.expect(
                try await platform.change(from: Platform.wrongPIN, to: newPIN, names.pinProtocol), [.pinInvalid])
            let after = try await platform.pinRetries().retries
            platform.recorder.expect(after == before - 1, "\(before - 1) retries", seen: "\(after)")
            try await platform.restoreRetries()
        }
    }

    private static func wrongParam(_ names: PINCaseNames) -> AuthenticatorCase {
        AuthenticatorCase(
            names.id("changePIN.wrongParam"),
            names.title("changePIN whose pinUvAuthParam covers newPinEnc only is refused and costs no retry"), clause,
            from: .pin, needs: names.needs
        ) { platform in
            let before = try await platform.pinRetries().retries
            let agreed = try await platform.agree(names.pinProtocol)
            var request = try platform.changePINRequest(
                agreed, from: try platform.pin, to: Array(newPIN.utf8))
            let newPinEnc = try platform.bytes(request, PINMember.newPinEnc, "newPinEnc")
            request[PINMember.pinUvAuthParam] = .bytes(agreed.authenticate(newPinEnc))
            try await platform.refuse(.clientPIN, request, with: [.pinAuthInvalid])
            let after = try await platform.pinRetries().retries
            platform.recorder.expect(after == before, "\(before) retries", seen: "\(after)")
        }
    }

    private static func notSet(_ names: PINCaseNames) -> AuthenticatorCase {
        AuthenticatorCase(
            names.id("changePIN.notSet"), names.title("changePIN is refused while no PIN is set"), clause,
            from: .noPIN, needs: names.needs
        ) { platform in
            platform.expect(
                try await platform.change(from: Platform.wrongPIN, to: newPIN, names.pinProtocol), [.pinNotSet])
        }
    }

    private static func endsTokens(_ names: PINCaseNames) -> AuthenticatorCase {
        AuthenticatorCase(
            names.id("changePIN.endsTokens"), names.title("a token of before changePIN is worthless afterwards"),
            clause, from: .pin, needs: names.needs + [.optionOn(.pinUvAuthToken)], effects: [.changesPIN]
        ) { platform in
            let old = try platform.pin
            let token = try await platform.pinToken(
                .getAssertion, rpID: platform.rpID, protocol: names.pinProtocol)
            platform.expect(try await platform.change(from: old, to: newPIN, names.pinProtocol), [.ok])
            platform.expect(try await platform.assert(silently: true, token: token), [.pinAuthInvalid])
            platform.expect(try await platform.change(from: newPIN, to: old, names.pinProtocol), [.ok])
        }
    }

    private static func policy(
        _ names: PINCaseNames, _ name: String, _ words: String, _ statuses: [CTAPStatus], paddedTo length: Int = 64,
        _ pin: @escaping @Sendable (Int) -> [UInt8]
    ) -> AuthenticatorCase {
        AuthenticatorCase(
            names.id("changePIN.pin.\(name)"), names.title("changePIN to \(words) is refused and keeps the PIN"),
            clause, from: .pin, needs: names.needs
        ) { platform in
            let old = try platform.pin
            let minimum = try await platform.information().minPINLength ?? 4
            let request = try platform.changePINRequest(
                try await platform.agree(names.pinProtocol), from: old, to: pin(minimum), paddedTo: length)
            try await platform.refuse(.clientPIN, request, with: statuses)
            platform.expect(try await platform.present(old, names.pinProtocol), [.ok])
        }
    }
}

extension Platform {
    /// Changes the PIN; the answer is empty or the refusal.
    func change(
        from current: String, to pin: String, _ pinProtocol: PINUVAuthProtocol
    ) async throws -> AuthenticatorAnswer {
        try await send(
            .clientPIN,
            try changePINRequest(try await agree(pinProtocol), from: current, to: Array(pin.utf8)))
    }
}
