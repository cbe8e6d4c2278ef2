internal import CBOR
internal import CTAP
internal import Conformance

/// Obtaining the shared secret (CTAP 2.3 §6.5.5.4, §6.5.6, §6.5.7).
enum KeyAgreementCases {
    static let all = PINUVAuthProtocol.allCases.flatMap(cases) + [unknownProtocol, missingProtocol, wrongTypeProtocol]

    private static let clause = Clause.ctap("6.5.5.4")

    @CaseTable private static func cases(_ pinProtocol: PINUVAuthProtocol) -> [Case] {
        let names = PINCaseNames(pinProtocol)
        members(names)
        Case(
            names.id("keyAgreement.onlyTheseMembers"), names.title("the key agreement key has no other member"),
            .ctap("6.5.6"), needs: names.needs
        ) { bench in
            let key = try await bench.keyAgreementKey(pinProtocol)
            let keys = try key.asMap("keyAgreement").keys
            bench.expect(Set(keys) == [1, 3, -1, -2, -3], "the members 1, 3, -1, -2 and -3", seen: "\(keys)")
        }
        Case(
            names.id("keyAgreement.usable"),
            names.title("the key agreement key is a point on P-256 with which a secret can be agreed"), .ctap("6.5.6"),
            needs: names.needs
        ) { bench in _ = try await bench.keyAgreement(pinProtocol) }
        Case(
            names.id("keyAgreement.stable"), names.title("the key agreement key stays the same until it is used up"),
            clause, level: .should, needs: names.needs
        ) { bench in
            let first = try await bench.keyAgreementKey(pinProtocol)
            let second = try await bench.keyAgreementKey(pinProtocol)
            bench.expect(first == second, "the same key twice", seen: "two keys")
        }
        Case(
            names.id("keyAgreement.newAfterPowerCycle"),
            names.title("the key agreement key is a new one after a power cycle"), .ctap("6.5.5.1"),
            needs: names.needs + [.powerCycle], person: [.replug]
        ) { bench in
            let first = try await bench.keyAgreementKey(pinProtocol)
            try await bench.powerCycle()
            let second = try await bench.keyAgreementKey(pinProtocol)
            bench.expect(first != second, "a new key", seen: "the key from before the power cycle")
        }
        Case(
            names.id("keyAgreement.newAfterWrongPIN"),
            names.title("the key agreement key is a new one after a wrong PIN"), .ctap("6.5.5.7.1"), from: .pin,
            needs: names.needs, effects: [.spendsTries]
        ) { bench in
            let first = try await bench.keyAgreementKey(pinProtocol)
            bench.expect(try await bench.present(AuthenticatorBench.wrongPIN, pinProtocol), .pinInvalid)
            let second = try await bench.keyAgreementKey(pinProtocol)
            bench.expect(first != second, "a new key", seen: "the key from before the wrong PIN")
            try await bench.restoreRetries()
        }
    }

    @CaseTable private static func members(_ names: PINCaseNames) -> [Case] {
        let demands: [(Int, String, String, @Sendable (CBOR.Value?) -> Bool)] = [
            (1, "kty", "kty (1) 2", { $0 == 2 }), (3, "alg", "alg (3) -25", { $0 == -25 }),
            (-1, "crv", "crv (-1) 1", { $0 == 1 }), (-2, "x", "x (-2) of 32 bytes", isCoordinate),
            (-3, "y", "y (-3) of 32 bytes", isCoordinate),
        ]
        for (key, name, words, holds) in demands {
            Case(
                names.id("keyAgreement.\(name)"), names.title("the key agreement key has \(words)"), .ctap("6.5.6"),
                needs: names.needs
            ) { bench in
                let found: CBOR.Value? = try await bench.keyAgreementKey(names.pinProtocol).asMap("keyAgreement")[key]
                bench.expect(holds(found), words, seen: found.map { "\($0)" } ?? "no such member")
            }
        }
    }

    @Sendable private static func isCoordinate(_ value: CBOR.Value?) -> Bool {
        if case .bytes(let bytes)? = value { bytes.count == 32 } else { false }
    }

    private static let unknownProtocol = Case(
        "clientPIN.keyAgreement.unknownProtocol", "The key agreement refuses a protocol that getInfo does not list.",
        clause, needs: [.member(.pinUvAuthProtocols)]
    ) { bench in
        var request = bench.request(.getKeyAgreement)
        request[PINMember.pinUvAuthProtocol] = 0x7E
        try await bench.refuse(.clientPIN, request, with: [.invalidParameter])
    }

    private static let missingProtocol = Case(
        "clientPIN.keyAgreement.missingProtocol", "The key agreement refuses a request without a protocol.", clause,
        needs: [.member(.pinUvAuthProtocols)]
    ) { bench in try await bench.refuse(.clientPIN, bench.request(.getKeyAgreement), with: [.missingParameter]) }

    private static let wrongTypeProtocol = Case(
        "clientPIN.keyAgreement.wrongTypeProtocol", "The key agreement refuses a protocol that is a text.", clause,
        needs: [.member(.pinUvAuthProtocols)]
    ) { bench in
        var request = bench.request(.getKeyAgreement)
        request[PINMember.pinUvAuthProtocol] = "2"
        try await bench.refuse(.clientPIN, request, with: RequestChange.wrongTypeStatuses + [.invalidParameter])
    }
}

/// The names that the cases of one PIN/UV auth protocol share.
struct PINCaseNames: Sendable {
    let pinProtocol: PINUVAuthProtocol

    init(_ pinProtocol: PINUVAuthProtocol) { self.pinProtocol = pinProtocol }

    func id(_ end: String) -> String { "clientPIN.protocol\(pinProtocol.rawValue).\(end)" }
    func title(_ clause: String) -> String { "With PIN/UV auth protocol \(pinProtocol), \(clause)." }
    var needs: [AuthenticatorNeed] { [.pinProtocol(pinProtocol)] }
}
