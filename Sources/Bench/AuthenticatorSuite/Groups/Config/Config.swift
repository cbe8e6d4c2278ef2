internal import CBOR
internal import CTAP
internal import Conformance

extension AuthenticatorSuite {
    /// authenticatorConfig (CTAP 2.3 §6.11).
    package static let config = Group(
        "config", "authenticatorConfig", ConfigRequestCases.all + MinPINLengthCases.all + SettingCases.all)
}

/// Requests that are refused, and their authorisation (CTAP 2.3 §6.11).
enum ConfigRequestCases {
    static let all = authorisation + members

    private static let clause = Clause.ctap("6.11")

    private static let authorisation: [AuthenticatorCase] = [
        make("noToken", "refuses a request without a token while a PIN is set") { platform in
            try await platform.refuse(
                .config, platform.configRequest(Self.known(platform), token: nil),
                with: [.puatRequired, .missingParameter])
        },
        make("wrongCode", "refuses a wrong pinUvAuthParam") { platform in
            let token = try await platform.pinToken(.authenticatorConfiguration)
            var request = platform.configRequest(Self.known(platform), token: token)
            request[0x04] = .bytes(token.authenticate([0x0D]))
            try await platform.refuse(.config, request, with: [.pinAuthInvalid])
        },
        make("noPrefix", "refuses a pinUvAuthParam over the subcommand without its prefix") { platform in
            let token = try await platform.pinToken(.authenticatorConfiguration)
            let subcommand = Self.known(platform)
            var request = platform.configRequest(subcommand, token: token)
            request[0x04] = .bytes(token.authenticate([0x0D, UInt8(truncatingIfNeeded: subcommand)]))
            try await platform.refuse(.config, request, with: [.pinAuthInvalid])
        },
        make("noProtocol", "refuses a request without a PIN/UV auth protocol") { platform in
            var request = platform.configRequest(
                Self.known(platform), token: try await platform.pinToken(.authenticatorConfiguration))
            request[0x03] = nil
            try await platform.refuse(.config, request, with: [.missingParameter, .invalidParameter])
        },
        make("unknownProtocol", "refuses an unknown PIN/UV auth protocol") { platform in
            var request = platform.configRequest(
                Self.known(platform), token: try await platform.pinToken(.authenticatorConfiguration))
            request[0x03] = 0x7E
            try await platform.refuse(.config, request, with: [.invalidParameter])
        },
        make("noPermission", "refuses a token without the permission acfg", needs: [.optionOn(.credMgmt)]) {
            platform in
            let token = try await platform.pinToken(.credentialManagement)
            try await platform.refuse(
                .config, platform.configRequest(Self.known(platform), token: token), with: [.pinAuthInvalid])
        },
        make("otherParameters", "refuses a pinUvAuthParam over other parameters", needs: [.optionOn(.setMinPINLength)])
        {
            platform in
            let token = try await platform.pinToken(.authenticatorConfiguration)
            var request = platform.configRequest(0x03, [0x01: 4], token: token)
            request[0x02] = [0x01: 63]
            try await platform.refuse(.config, request, with: [.pinAuthInvalid])
        },
    ]

    private static let members: [AuthenticatorCase] =
        [
            make("subCommand.missing", "refuses a request without a subcommand") { platform in
                try await platform.refuse(.config, [:], with: [.missingParameter])
            },
            make("subCommand.wrongType", "refuses a subcommand that is a text") { platform in
                try await platform.refuse(.config, [0x01: "3"], with: RequestChange.wrongTypeStatuses)
            },
            make("subCommandParams.wrongType", "refuses parameters that are an array") { platform in
                try await platform.refuse(.config, [0x01: 0x03, 0x02: [4]], with: RequestChange.wrongTypeStatuses)
            },
        ]
        + [0x00, 0x05, 0x7E].map { number in
            make("subCommand.unknown.\(number)", "refuses the unknown subcommand \(number)") { platform in
                try await platform.refuse(
                    .config,
                    platform.configRequest(number, token: try await platform.pinToken(.authenticatorConfiguration)),
                    with: [.invalidSubcommand, .invalidParameter])
            }
        }
        + AuthenticatorConfigSubcommand.allCases.map { subcommand in
            make("unsupported.\(subcommand)", "refuses \(subcommand) where getInfo does not declare it") { platform in
                guard let declared = try await platform.information().authenticatorConfigCommands else {
                    throw CaseStop.notApplicable("getInfo does not list the subcommands")
                }
                guard !declared.contains(subcommand.rawValue) else {
                    throw CaseStop.notApplicable("getInfo lists \(subcommand)")
                }
                platform.expect(
                    try await platform.configure(
                        subcommand, token: try await platform.pinToken(.authenticatorConfiguration)),
                    [.invalidSubcommand, .invalidParameter])
            }
        }

    /// A subcommand that the authenticator has.
    private static func known(_ platform: Platform) -> Int {
        platform.bench.info.authenticatorConfigCommands?.first
            ?? (platform.bench.has(.setMinPINLength) ? 0x03 : 0x02)
    }

    private static func make(
        _ name: String, _ title: String, needs: [AuthenticatorNeed] = [],
        _ steps: @escaping @Sendable (Platform) async throws -> Void
    ) -> AuthenticatorCase {
        AuthenticatorCase(
            "config.\(name)", "The command authenticatorConfig \(title).", clause, from: .pin,
            needs: [.optionOn(.authnrCfg)] + needs, steps: steps)
    }
}
