internal import CBOR
internal import CTAP
internal import Conformance

/// The subcommand of authenticatorClientPIN, and the demand to change a PIN (CTAP 2.3 §6.5.5, §6.11.4).
enum SubcommandCases {
    static let all = unknown + malformed + [persistentAlone, undefinedPermission] + forced

    private static let unknown: [AuthenticatorCase] = [0x00, 0x08, 0x0A, 0x40, 0xFF].map { number in
        AuthenticatorCase(
            "clientPIN.subCommand.unknown.\(number)",
            "The command authenticatorClientPIN refuses the unknown subcommand \(number).", .ctap("8.1"),
            needs: [.member(.pinUvAuthProtocols)]
        ) { platform in
            try await platform.refuse(
                .clientPIN, [0x01: .integer(try platform.preferred.rawValue), 0x02: .integer(number)],
                with: [.invalidSubcommand, .invalidParameter])
        }
    }

    private static let malformed: [AuthenticatorCase] = [
        AuthenticatorCase(
            "clientPIN.subCommand.missing",
            "The command authenticatorClientPIN refuses a request without a subcommand.",
            .ctap("6.5.5"), needs: [.member(.pinUvAuthProtocols)]
        ) { platform in
            try await platform.refuse(
                .clientPIN, [0x01: .integer(try platform.preferred.rawValue)], with: [.missingParameter])
        },
        AuthenticatorCase(
            "clientPIN.subCommand.wrongType", "The command authenticatorClientPIN refuses a subcommand that is a text.",
            .ctap("6.5.5"), needs: [.member(.pinUvAuthProtocols)]
        ) { platform in
            try await platform.refuse(.clientPIN, [0x02: "1"], with: RequestChange.wrongTypeStatuses)
        },
        AuthenticatorCase(
            "clientPIN.subCommand.noParameters",
            "The command authenticatorClientPIN refuses a request without parameters.",
            .ctap("6.5.5"), needs: [.member(.pinUvAuthProtocols)]
        ) { platform in
            try await platform.refuse(
                .clientPIN, with: [.missingParameter, .invalidCBOR, .invalidLength, .invalidParameter])
        },
        AuthenticatorCase(
            "clientPIN.subCommand.unknownMember",
            "The command authenticatorClientPIN ignores a member that it does not know.",
            .ctap("8"), needs: [.member(.pinUvAuthProtocols)]
        ) { platform in
            var request = platform.request(.getKeyAgreement, try platform.preferred)
            request[0x7E] = "unknown"
            try await platform.accept(.clientPIN, request)
        },
        AuthenticatorCase(
            "clientPIN.subCommand.withoutPermissions",
            "An authenticator without tokens with permissions does not know the subcommand 9.", .ctap("8.1"),
            needs: [.option(.clientPin), .optionOff(.pinUvAuthToken)]
        ) { platform in
            try await platform.refuse(
                .clientPIN,
                platform.request(.getPinUvAuthTokenUsingPinWithPermissions, try platform.preferred),
                with: [.invalidSubcommand, .invalidParameter, .invalidCommand])
        },
    ]

    private static let persistentAlone = AuthenticatorCase(
        "clientPIN.permissions.persistentAlone", "The permission pcmr is refused together with another one.",
        .ctap("6.5.5.7"), from: .pin, needs: [.optionOn(.perCredMgmtRO)]
    ) { platform in
        platform.expect(
            try await platform.present(
                try platform.pin,
                permissions: [.persistentCredentialManagementReadOnly, .credentialManagement]),
            [.unauthorizedPermission, .invalidParameter])
    }

    private static let undefinedPermission = AuthenticatorCase(
        "clientPIN.permissions.undefined", "An undefined permission beside a defined one is ignored.",
        .ctap("6.5.5.7"), level: .should, from: .pin, needs: [.optionOn(.pinUvAuthToken), .optionOn(.credMgmt)]
    ) { platform in
        let agreed = try await platform.agree(platform.preferred)
        var request = try platform.tokenRequest(
            agreed, pin: try platform.pin, permissions: .credentialManagement)
        request[PINMember.permissions] = 0x84
        platform.expect(try await platform.send(.clientPIN, request), [.ok])
    }

    // MARK: forcePINChange

    private static let clause = Clause.ctap("6.11.4")

    private static let forced: [AuthenticatorCase] = [
        forcing("declared", "The answer to getInfo says that the PIN must be changed.", .ctap("6.4")) { platform, _ in
            let force = try await platform.information().forcePINChange
            platform.recorder.expect(
                force == true, "forcePINChange true", seen: force.map { "\($0)" } ?? "no such member")
        },
        forcing(
            "getPinToken", "The subcommand getPinToken is refused while the PIN must be changed.", .ctap("6.5.5.7.1")
        ) {
            platform, _ in
            platform.expect(try await platform.present(try platform.pin), [.pinInvalid])
        },
        forcing(
            "tokenUsingPin", "A token with permissions is refused while the PIN must be changed.",
            .ctap("6.5.5.7.2")
        ) { platform, _ in
            platform.expect(
                try await platform.present(try platform.pin, permissions: .authenticatorConfiguration),
                [.pinPolicyViolation])
        },
        forcing(
            "samePIN", "The subcommand changePIN to the same PIN is refused while the PIN must be changed.",
            .ctap("6.5.5.6")
        ) {
            platform, _ in
            let pin = try platform.pin
            platform.expect(
                try await platform.change(from: pin, to: pin, platform.preferred),
                [.pinPolicyViolation])
        },
        forcing("lifted", "The subcommand changePIN to another PIN lifts the demand to change it.", .ctap("6.5.5.6")) {
            platform, _ in
            let pin = try platform.pin
            platform.expect(
                try await platform.change(from: pin, to: "61830527", platform.preferred), [.ok])
            let force = try await platform.information().forcePINChange
            platform.recorder.expect(force != true, "forcePINChange false or absent", seen: "forcePINChange true")
            platform.expect(try await platform.present("61830527"), [.ok])
        },
        forcing("endsTokens", "The demand to change the PIN ends the tokens in use.", clause) { platform, token in
            platform.expect(try await platform.configure(.setMinPINLength, token: token), [.pinAuthInvalid])
        },
    ]

    private static func forcing(
        _ name: String, _ title: String, _ clause: Clause,
        _ steps: @escaping @Sendable (Platform, HeldToken) async throws -> Void
    ) -> AuthenticatorCase {
        AuthenticatorCase(
            "clientPIN.forcePINChange.\(name)", title, clause, from: .freshPIN, needs: [.optionOn(.setMinPINLength)],
            effects: [.changesSettings, .erases]
        ) { platform in
            try await steps(platform, try await platform.forcePINChange())
        }
    }
}
