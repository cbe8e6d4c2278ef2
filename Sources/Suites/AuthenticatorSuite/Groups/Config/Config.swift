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

    @CaseTable private static var authorisation: [Case] {
        make("noToken", "refuses a request without a token while a PIN is set") { bench in
            try await bench.refuse(
                .config, bench.configRequest(Self.known(bench), token: nil), with: [.puatRequired, .missingParameter])
        }
        make("wrongCode", "refuses a wrong pinUvAuthParam") { bench in
            let token = try await bench.pinToken(.authenticatorConfiguration)
            var request = bench.configRequest(Self.known(bench), token: token)
            request[0x04] = .bytes(token.authenticate([0x0D]))
            try await bench.refuse(.config, request, with: [.pinAuthInvalid])
        }
        make("noPrefix", "refuses a pinUvAuthParam over the subcommand without its prefix") { bench in
            let token = try await bench.pinToken(.authenticatorConfiguration)
            let subcommand = Self.known(bench)
            var request = bench.configRequest(subcommand, token: token)
            request[0x04] = .bytes(token.authenticate([0x0D, UInt8(truncatingIfNeeded: subcommand)]))
            try await bench.refuse(.config, request, with: [.pinAuthInvalid])
        }
        make("noProtocol", "refuses a request without a PIN/UV auth protocol") { bench in
            var request = bench.configRequest(
                Self.known(bench), token: try await bench.pinToken(.authenticatorConfiguration))
            request[0x03] = nil
            try await bench.refuse(.config, request, with: [.missingParameter, .invalidParameter])
        }
        make("unknownProtocol", "refuses an unknown PIN/UV auth protocol") { bench in
            var request = bench.configRequest(
                Self.known(bench), token: try await bench.pinToken(.authenticatorConfiguration))
            request[0x03] = 0x7E
            try await bench.refuse(.config, request, with: [.invalidParameter])
        }
        make("noPermission", "refuses a token without the permission acfg", needs: [.optionOn(.credMgmt)]) { bench in
            let token = try await bench.pinToken(.credentialManagement)
            try await bench.refuse(
                .config, bench.configRequest(Self.known(bench), token: token), with: [.pinAuthInvalid])
        }
        make("otherParameters", "refuses a pinUvAuthParam over other parameters", needs: [.optionOn(.setMinPINLength)])
        { bench in
            let token = try await bench.pinToken(.authenticatorConfiguration)
            var request = bench.configRequest(0x03, [0x01: 4], token: token)
            request[0x02] = [0x01: 63]
            try await bench.refuse(.config, request, with: [.pinAuthInvalid])
        }
    }

    @CaseTable private static var members: [Case] {
        make("subCommand.missing", "refuses a request without a subcommand") { bench in
            try await bench.refuse(.config, [:], with: [.missingParameter])
        }
        make("subCommand.wrongType", "refuses a subcommand that is a text") { bench in
            try await bench.refuse(.config, [0x01: "3"], with: RequestChange.wrongTypeStatuses)
        }
        make("subCommandParams.wrongType", "refuses parameters that are an array") { bench in
            try await bench.refuse(.config, [0x01: 0x03, 0x02: [4]], with: RequestChange.wrongTypeStatuses)
        }
        for number in [0x00, 0x05, 0x7E] {
            make("subCommand.unknown.\(number)", "refuses the unknown subcommand \(number)") { bench in
                try await bench.refuse(
                    .config, bench.configRequest(number, token: try await bench.pinToken(.authenticatorConfiguration)),
                    with: [.invalidSubcommand, .invalidParameter])
            }
        }
        for subcommand in AuthenticatorConfigSubcommand.allCases {
            make("unsupported.\(subcommand)", "refuses \(subcommand) where getInfo does not declare it") { bench in
                guard let declared = try await bench.readInfo().authenticatorConfigCommands else {
                    throw CaseStop.notApplicable("getInfo does not list the subcommands")
                }
                guard !declared.contains(subcommand.rawValue) else {
                    throw CaseStop.notApplicable("getInfo lists \(subcommand)")
                }
                bench.expect(
                    try await bench.configure(subcommand, token: try await bench.pinToken(.authenticatorConfiguration)),
                    .invalidSubcommand, .invalidParameter)
            }
        }
    }

    private static func known(_ bench: AuthenticatorBench) -> Int {
        bench.info.authenticatorConfigCommands?.first ?? (bench.has(.setMinPINLength) ? 0x03 : 0x02)
    }

    private static func make(
        _ name: String, _ title: String, needs: [AuthenticatorNeed] = [],
        _ steps: @escaping @Sendable (AuthenticatorBench) async throws -> Void
    ) -> Case {
        Case(
            "config.\(name)", "The command authenticatorConfig \(title).", clause, from: .pin,
            needs: [.optionOn(.authnrCfg)] + needs, steps: steps)
    }
}
