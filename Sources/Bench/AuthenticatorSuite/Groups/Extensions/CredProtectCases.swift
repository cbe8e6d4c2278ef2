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

    private static let levels: [AuthenticatorCase] = (1...3).map { level in
        AuthenticatorCase(
            "credProtect.level\(level)", "A registration with credProtect \(level) answers its level.", clause,
            needs: needs, person: [.touch]
        ) { platform in
            let made = try await platform.makeAny(extensions: ["credProtect": .integer(level)])
            let output = made.outputs["credProtect"]
            platform.recorder.expect(
                output == .integer(level), "credProtect \(level)", seen: output.map { "\($0)" } ?? "no output")
        }
    }

    private static let refused: [AuthenticatorCase] =
        [
            (0, "0"), (4, "4"), (255, "255"),
        ].map { level, words in
            AuthenticatorCase(
                "credProtect.unknownLevel.\(words)", "A registration with the unknown level \(words) is refused.",
                clause,
                needs: needs, person: [.touch]
            ) { platform in
                platform.expect(
                    try await platform.makeAnyAnswer(extensions: ["credProtect": .integer(level)]),
                    [.invalidParameter, .invalidOption])
            }
        } + [
            AuthenticatorCase(
                "credProtect.wrongType", "A registration with credProtect as a text is refused.", clause, needs: needs,
                person: [.touch]
            ) { platform in
                platform.expect(
                    try await platform.makeAnyAnswer(extensions: ["credProtect": "3"]), RequestChange.wrongTypeStatuses)
            },
            AuthenticatorCase(
                "credProtect.notRequested", "A registration without credProtect has no such output.", clause,
                level: .should, needs: needs, person: [.touch]
            ) { platform in
                let made = try await platform.makeAny()
                platform.recorder.expect(made.outputs["credProtect"] == nil, "no output", seen: "an output")
            },
        ]

    // MARK: Who sees it

    /// Whether each level is seen by a request: with an allow list or without, verified or not.
    private static let visibility: [AuthenticatorCase] =
        (1...3).flatMap { level in
            [
                AuthenticatorCase(
                    "credProtect.level\(level).named",
                    "A credential of level \(level) is \(level < 3 ? "seen" : "hidden") when an unverified request names it.",
                    clause, needs: optional, person: [.touch]
                ) { platform in
                    let made = try await platform.makeAny(extensions: ["credProtect": .integer(level)])
                    platform.expect(
                        try await platform.assert(silently: true, allowing: [made]),
                        level < 3 ? [.ok] : [.noCredentials])
                },
                AuthenticatorCase(
                    "credProtect.level\(level).unnamed",
                    "A credential of level \(level) is \(level < 2 ? "seen" : "hidden") when an unverified request names none.",
                    clause, needs: optional + [.discoverableCredentials], effects: [.addsCredential], person: [.touch]
                ) { platform in
                    let made = try await platform.makeAny(
                        extensions: ["credProtect": .integer(level)], discoverable: true)
                    platform.expect(
                        try await platform.assert(silently: true, rpID: made.relyingPartyID),
                        level < 2 ? [.ok] : [.noCredentials])
                },
                AuthenticatorCase(
                    "credProtect.level\(level).verified",
                    "A credential of level \(level) is seen when a verified request names none.", clause, from: .pin,
                    needs: [
                        .supported("credProtect"), .discoverableCredentials,
                        .optionOff(.noMcGaPermissionsWithClientPin),
                    ], effects: [.addsCredential], person: [.touch]
                ) { platform in
                    let made = try await platform.makeAny(
                        extensions: ["credProtect": .integer(level)], discoverable: true)
                    let token = try await platform.credentialToken(.getAssertion)
                    platform.expect(
                        try await platform.assert(silently: true, rpID: made.relyingPartyID, token: token), [.ok])
                },
            ]
        } + [
            AuthenticatorCase(
                "credProtect.level3.excluded",
                "A credential of level 3 does not exclude a registration that does not verify the user.",
                .ctap("6.1.2", step: "12"), from: .noPIN, needs: optional, person: [.touch, .touch]
            ) { platform in
                let made = try await platform.makeAny(extensions: ["credProtect": 3])
                var request = platform.makeRequest()
                request[0x05] = .array([made.descriptor])
                try await platform.accept(.makeCredential, request)
            },
            AuthenticatorCase(
                "credProtect.level2.excluded", "A credential of level 2 excludes a registration that names it.",
                .ctap("6.1.2", step: "12"), from: .noPIN, needs: optional, person: [.touch, .touch]
            ) { platform in
                let made = try await platform.makeAny(extensions: ["credProtect": 2])
                var request = platform.makeRequest()
                request[0x05] = .array([made.descriptor])
                try await platform.refuse(.makeCredential, request, with: [.credentialExcluded])
            },
        ]
}
