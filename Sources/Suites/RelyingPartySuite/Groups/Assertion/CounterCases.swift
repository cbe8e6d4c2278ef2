internal import Conformance
internal import WebAuthn

/// The cases of the signature counter (WebAuthn L3 §6.1.1, §7.2 step 22).
enum CounterCases {
    private static let clause = Clause.webauthn("7.2", step: "22")

    /// Assertions with counters, one after another with the same passkey.
    ///
    /// A relying party may accept a counter that did not rise, by its policy, and then has to take it as a sign of a
    /// clone; so the last of them is a recommendation.
    private static func sequence(
        _ name: String, _ title: String, clause: Clause = clause, registered: UInt32, _ first: [UInt32],
        last: UInt32, is outcome: CeremonyOutcome, level: Level
    ) -> Case {
        Case("assertion.counter.\(name)", title, clause, level: level, effects: [.makesAccount]) { bench, recorder in
            try await bench.requireSignIn(PasskeyForm())
            var passkey = try await bench.newPasskey(RegistrationForm()) { $0.authenticatorData.counter = registered }
            for counter in first {
                passkey.counter = counter
                let reply = try await bench.assertion(passkey)
                try recorder.require(
                    reply.isAccepted, "an accepted assertion with the counter \(counter)", seen: reply.line)
            }
            passkey.counter = last
            bench.judge(try await bench.assertion(passkey), outcome, recorder)
        }
    }

    static let all: [Case] = [
        sequence(
            "rises", "A counter that rises by one is accepted.", registered: 0, [1], last: 2, is: .accepted,
            level: .must),
        sequence(
            "jumps", "A counter that jumps is accepted.", registered: 1, [5], last: 4_000_000_000, is: .accepted,
            level: .must),
        sequence(
            "zero", "A counter that stays 0 is accepted.", registered: 0, [0], last: 0, is: .accepted, level: .must),
        sequence(
            "equal", "A counter that did not rise since the registration is refused.", registered: 7, [], last: 7,
            is: .refused, level: .should),
        sequence(
            "equal.signIn", "A counter that did not rise since the last sign-in is refused.", registered: 1, [9],
            last: 9, is: .refused, level: .should),
        sequence(
            "lower", "A counter below that of the registration is refused.", registered: 100, [], last: 99,
            is: .refused, level: .should),
        sequence(
            "lower.signIn", "A counter below that of the last sign-in is refused.", registered: 1, [50], last: 20,
            is: .refused, level: .should),
        sequence(
            "backToZero", "The counter 0 after a greater one is refused.", registered: 3, [], last: 0, is: .refused,
            level: .should),
        sequence(
            "wrapped", "A counter that wrapped is refused.", registered: .max, [], last: 1, is: .refused,
            level: .should),
        sequence(
            "stored", "The counter that was received is stored, not the next after the stored one.",
            clause: .webauthn("7.2", step: "24"), registered: 1, [1000], last: 500, is: .refused, level: .should),
        sequence(
            "startsLater", "A counter that starts after the registration is accepted.", registered: 0, [],
            last: 1, is: .accepted, level: .must),
        Case(
            "assertion.counter.refusedNotStored", "The counter of a refused assertion is not stored.",
            .webauthn("7.2", step: "25"), effects: [.makesAccount]
        ) { bench, recorder in
            try await bench.requireSignIn(PasskeyForm())
            var passkey = try await bench.newPasskey(RegistrationForm())
            passkey.counter = 1000
            let reply = try await bench.assertion(passkey) {
                $0.changeSignature = { [UInt8](repeating: 0, count: $0.count) }
            }
            try recorder.require(!reply.isAccepted, "a refusal of the invalid signature", seen: reply.line)
            passkey.counter = 10
            bench.judge(try await bench.assertion(passkey), .accepted, recorder)
        },
    ]
}
