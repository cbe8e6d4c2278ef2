internal import CBOR
internal import CTAP
internal import Conformance

/// The subcommand of authenticatorClientPIN, and the demand to change a PIN (CTAP 2.3 §6.5.5, §6.11.4).
enum SubcommandCases {
    static let all = unknown + malformed + [persistentAlone, undefinedPermission] + forced

    @CaseTable private static var unknown: [Case] {
        for number in [0x00, 0x08, 0x0A, 0x40, 0xFF] {
            Case(
                "clientPIN.subCommand.unknown.\(number)",
                "The command authenticatorClientPIN refuses the unknown subcommand \(number).", .ctap("8.1"),
                needs: [.member(.pinUvAuthProtocols)]
            ) { bench in
                try await bench.refuse(
                    .clientPIN, [0x01: .integer(try bench.preferredProtocol.rawValue), 0x02: .integer(number)],
                    with: [.invalidSubcommand, .invalidParameter])
            }
        }
    }

    @CaseTable private static var malformed: [Case] {
        Case(
            "clientPIN.subCommand.missing",
            "The command authenticatorClientPIN refuses a request without a subcommand.",
            .ctap("6.5.5"), needs: [.member(.pinUvAuthProtocols)]
        ) { bench in
            try await bench.refuse(
                .clientPIN, [0x01: .integer(try bench.preferredProtocol.rawValue)], with: [.missingParameter])
        }
        Case(
            "clientPIN.subCommand.wrongType", "The command authenticatorClientPIN refuses a subcommand that is a text.",
            .ctap("6.5.5"), needs: [.member(.pinUvAuthProtocols)]
        ) { bench in try await bench.refuse(.clientPIN, [0x02: "1"], with: RequestChange.wrongTypeStatuses) }
        Case(
            "clientPIN.subCommand.noParameters",
            "The command authenticatorClientPIN refuses a request without parameters.",
            .ctap("6.5.5"), needs: [.member(.pinUvAuthProtocols)]
        ) { bench in
            try await bench.refuse(
                .clientPIN, with: [.missingParameter, .invalidCBOR, .invalidLength, .invalidParameter])
        }
        Case(
            "clientPIN.subCommand.unknownMember",
            "The command authenticatorClientPIN ignores a member that it does not know.",
            .ctap("8"), needs: [.member(.pinUvAuthProtocols)]
        ) { bench in
            var request = bench.request(.getKeyAgreement, try bench.preferredProtocol)
            request[0x7E] = "unknown"
            try await bench.accept(.clientPIN, request)
        }
        Case(
            "clientPIN.subCommand.withoutPermissions",
            "An authenticator without tokens with permissions does not know the subcommand 9.", .ctap("8.1"),
            needs: [.option(.clientPin), .optionOff(.pinUvAuthToken)]
        ) { bench in
            try await bench.refuse(
                .clientPIN, bench.request(.getPinUvAuthTokenUsingPinWithPermissions, try bench.preferredProtocol),
                with: [.invalidSubcommand, .invalidParameter, .invalidCommand])
        }
    }

    private static let persistentAlone = Case(
        "clientPIN.permissions.persistentAlone", "The permission pcmr is refused together with another one.",
        .ctap("6.5.5.7"), from: .pin, needs: [.optionOn(.perCredMgmtRO)]
    ) { bench in
        bench.expect(
            try await bench.present(
                try bench.knownPIN, permissions: [.persistentCredentialManagementReadOnly, .credentialManagement]),
            .unauthorizedPermission, .invalidParameter)
    }

    private static let undefinedPermission = Case(
        "clientPIN.permissions.undefined", "An undefined permission beside a defined one is ignored.",
        .ctap("6.5.5.7"), level: .should, from: .pin, needs: [.optionOn(.pinUvAuthToken), .optionOn(.credMgmt)]
    ) { bench in
        let agreed = try await bench.agree(bench.preferredProtocol)
        var request = try bench.tokenRequest(agreed, pin: try bench.knownPIN, permissions: .credentialManagement)
        request[PINMember.permissions] = 0x84
        bench.expect(try await bench.send(.clientPIN, request), .ok)
    }

    // MARK: forcePINChange

    private static let clause = Clause.ctap("6.11.4")

    @CaseTable private static var forced: [Case] {
        forcing("declared", "The answer to getInfo says that the PIN must be changed.", .ctap("6.4")) { bench, _ in
            let force = try await bench.readInfo().forcePINChange
            bench.expect(force == true, "forcePINChange true", seen: force.map { "\($0)" } ?? "no such member")
        }
        forcing(
            "getPinToken", "The subcommand getPinToken is refused while the PIN must be changed.", .ctap("6.5.5.7.1")
        ) { bench, _ in bench.expect(try await bench.present(try bench.knownPIN), .pinInvalid) }
        forcing(
            "tokenUsingPin", "A token with permissions is refused while the PIN must be changed.", .ctap("6.5.5.7.2")
        ) { bench, _ in
            bench.expect(
                try await bench.present(try bench.knownPIN, permissions: .authenticatorConfiguration),
                .pinPolicyViolation)
        }
        forcing(
            "samePIN", "The subcommand changePIN to the same PIN is refused while the PIN must be changed.",
            .ctap("6.5.5.6")
        ) { bench, _ in
            let pin = try bench.knownPIN
            bench.expect(try await bench.changePIN(from: pin, to: pin, bench.preferredProtocol), .pinPolicyViolation)
        }
        forcing("lifted", "The subcommand changePIN to another PIN lifts the demand to change it.", .ctap("6.5.5.6")) {
            bench, _ in
            let pin = try bench.knownPIN
            bench.expect(try await bench.changePIN(from: pin, to: "61830527", bench.preferredProtocol), .ok)
            let force = try await bench.readInfo().forcePINChange
            bench.expect(force != true, "forcePINChange false or absent", seen: "forcePINChange true")
            bench.expect(try await bench.present("61830527"), .ok)
        }
        forcing("endsTokens", "The demand to change the PIN ends the tokens in use.", clause) { bench, token in
            bench.expect(try await bench.configure(.setMinPINLength, token: token), .pinAuthInvalid)
        }
    }

    private static func forcing(
        _ name: String, _ title: String, _ clause: Clause,
        _ steps: @escaping @Sendable (AuthenticatorBench, HeldToken) async throws -> Void
    ) -> Case {
        Case(
            "clientPIN.forcePINChange.\(name)", title, clause, from: .freshPIN, needs: [.optionOn(.setMinPINLength)],
            effects: [.changesSettings, .erases]
        ) { bench in try await steps(bench, try await bench.forcePINChange()) }
    }
}
