internal import CBOR
internal import CTAP
internal import Conformance

extension AuthenticatorSuite {
    /// The extension credProtect (CTAP 2.3 §12.1).
    package static let credProtect = Group("credProtect", "The extension credProtect", CredProtectCases.all)
}

enum CredProtectCases {
    static let all = levels + refused + visibility

    private static let clause = Clause.ctap("12.1")
    private static let needs: [AuthenticatorNeed] = [.supported("credProtect"), .credentials]
    /// Requests without verification see protected credentials only where verification is not always required.
    private static let optional: [AuthenticatorNeed] = needs + [.optionOff(.alwaysUv)]

    @CaseTable private static var levels: [Case] {
        for level in 1...3 {
            Case(
                "credProtect.level\(level)", "A registration with credProtect \(level) answers its level.", clause,
                needs: needs, person: [.touch]
            ) { bench in
                let made = try await bench.makeAny(extensions: ["credProtect": .integer(level)])
                let output = made.outputs["credProtect"]
                bench.expect(
                    output == .integer(level), "credProtect \(level)", seen: output.map { "\($0)" } ?? "no output")
            }
        }
    }

    @CaseTable private static var refused: [Case] {
        for (level, words) in [(0, "0"), (4, "4"), (255, "255")] {
            Case(
                "credProtect.unknownLevel.\(words)", "A registration with the unknown level \(words) is refused.",
                clause, needs: needs, person: [.touch]
            ) { bench in
                bench.expect(
                    try await bench.makeAnyAnswer(extensions: ["credProtect": .integer(level)]),
                    .invalidParameter, .invalidOption)
            }
        }
        Case(
            "credProtect.wrongType", "A registration with credProtect as a text is refused.", clause, needs: needs,
            person: [.touch]
        ) { bench in
            bench.expect(
                try await bench.makeAnyAnswer(extensions: ["credProtect": "3"]), anyOf: RequestChange.wrongTypeStatuses)
        }
        Case(
            "credProtect.notRequested", "A registration without credProtect has no such output.", clause,
            level: .should, needs: needs, person: [.touch]
        ) { bench in
            let made = try await bench.makeAny()
            bench.expect(made.outputs["credProtect"] == nil, "no output", seen: "an output")
        }
    }

    // MARK: Visibility

    /// Whether each level is seen by a request: with an allow list or without, verified or not.
    @CaseTable private static var visibility: [Case] {
        for level in 1...3 {
            Case(
                "credProtect.level\(level).named",
                "A credential of level \(level) is \(level < 3 ? "seen" : "hidden") when an unverified request names it.",
                clause, needs: optional, person: [.touch]
            ) { bench in
                let made = try await bench.makeAny(extensions: ["credProtect": .integer(level)])
                bench.expect(
                    try await bench.assert(silently: true, allowing: [made]),
                    anyOf: level < 3 ? [.ok] : [.noCredentials])
            }
            Case(
                "credProtect.level\(level).unnamed",
                "A credential of level \(level) is \(level < 2 ? "seen" : "hidden") when an unverified request names none.",
                clause, needs: optional + [.discoverableCredentials], effects: [.addsCredential], person: [.touch]
            ) { bench in
                let made = try await bench.makeAny(extensions: ["credProtect": .integer(level)], discoverable: true)
                bench.expect(
                    try await bench.assert(silently: true, rpID: made.relyingPartyID),
                    anyOf: level < 2 ? [.ok] : [.noCredentials])
            }
            Case(
                "credProtect.level\(level).verified",
                "A credential of level \(level) is seen when a verified request names none.", clause, from: .pin,
                needs: [
                    .supported("credProtect"), .discoverableCredentials, .optionOff(.noMcGaPermissionsWithClientPin),
                ], effects: [.addsCredential], person: [.touch]
            ) { bench in
                let made = try await bench.makeAny(extensions: ["credProtect": .integer(level)], discoverable: true)
                let token = try await bench.credentialToken(.getAssertion)
                bench.expect(try await bench.assert(silently: true, rpID: made.relyingPartyID, token: token), .ok)
            }
        }
        Case(
            "credProtect.level3.excluded",
            "A credential of level 3 does not exclude a registration that does not verify the user.",
            .ctap("6.1.2", step: "12"), from: .noPIN, needs: optional, person: [.touch, .touch]
        ) { bench in
            let made = try await bench.makeAny(extensions: ["credProtect": 3])
            var request = bench.makeRequest()
            request[0x05] = .array([made.descriptor])
            try await bench.accept(.makeCredential, request)
        }
        Case(
            "credProtect.level3.excludedVerified",
            "A credential of level 3 excludes a registration that verifies the user.",
            .ctap("6.1.2", step: "12"), from: .pin,
            needs: [.supported("credProtect"), .optionOff(.noMcGaPermissionsWithClientPin)], person: [.touch, .touch]
        ) { bench in
            let made = try await bench.makeAny(extensions: ["credProtect": 3])
            var request = bench.makeRequest(token: try await bench.credentialToken(.makeCredential))
            request[0x05] = .array([made.descriptor])
            try await bench.refuse(.makeCredential, request, with: [.credentialExcluded])
        }
        Case(
            "credProtect.level2.excluded", "A credential of level 2 excludes a registration that names it.",
            .ctap("6.1.2", step: "12"), from: .noPIN, needs: optional, person: [.touch, .touch]
        ) { bench in
            let made = try await bench.makeAny(extensions: ["credProtect": 2])
            var request = bench.makeRequest()
            request[0x05] = .array([made.descriptor])
            try await bench.refuse(.makeCredential, request, with: [.credentialExcluded])
        }
    }
}
