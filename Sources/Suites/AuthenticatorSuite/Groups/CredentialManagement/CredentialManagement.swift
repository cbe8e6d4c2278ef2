internal import CBOR
internal import CTAP
internal import Conformance

extension AuthenticatorSuite {
    /// authenticatorCredentialManagement (CTAP 2.3 §6.8) and its preview.
    package static let credentialManagement = Group(
        "credentialManagement", "authenticatorCredentialManagement",
        ManagementCommand.all.flatMap {
            CredentialListCases($0).all + CredentialChangeCases($0).all + CredentialRequestCases($0).all
        } + PersistentTokenCases.all)
}

/// One of the two command bytes of credential management.
struct ManagementCommand: Sendable {
    let command: CTAPCommand
    let option: InfoOption
    private let prefix: String
    private let words: String

    static let all = [
        ManagementCommand(
            command: .credentialManagement, option: .credMgmt, prefix: "credentialManagement",
            words: "Credential management"),
        ManagementCommand(
            command: .credentialManagementPreview, option: .credentialMgmtPreview,
            prefix: "credentialManagement.preview", words: "The preview of credential management"),
    ]

    /// A case of this command, on an authenticator with a PIN.
    func make(
        _ name: String, _ title: String, _ section: String, level: Level = .must, from start: StartingState = .pin,
        needs: [AuthenticatorNeed] = [], effects: Set<CaseEffect> = [], person: [ManualAct] = [],
        _ steps: @escaping @Sendable (AuthenticatorBench) async throws -> Void
    ) -> Case {
        Case(
            "\(prefix).\(name)", "\(words) \(title).",
            command == .credentialManagement ? .ctap(section) : Clause(.ctap21, section), level: level, from: start,
            needs: [.optionOn(option)] + needs, effects: effects, person: person, steps: steps)
    }

    /// A case with discoverable credentials of the case's relying party.
    func make(
        _ name: String, _ title: String, _ section: String, credentials: Int, level: Level = .must,
        needs: [AuthenticatorNeed] = [],
        _ steps: @escaping @Sendable (AuthenticatorBench, [BenchCredential]) async throws -> Void
    ) -> Case {
        make(
            name, title, section, level: level, needs: [.discoverableCredentials] + needs,
            effects: [.addsCredential], person: Array(repeating: .touch, count: credentials)
        ) { bench in
            var made: [BenchCredential] = []
            for number in 0..<credentials {
                made.append(try await bench.makeAny(discoverable: true, userID: [0xC0, UInt8(number)]))
            }
            try await steps(bench, made)
        }
    }

    func token(_ bench: AuthenticatorBench, rpID: String? = nil) async throws -> HeldToken {
        bench.has(.pinUvAuthToken)
            ? try await bench.pinToken(.credentialManagement, rpID: rpID) : try await bench.pinToken(nil)
    }

    func send(
        _ bench: AuthenticatorBench, _ subcommand: CredentialManagementSubcommand, _ parameters: CBOR.Map? = nil,
        _ token: HeldToken?
    ) async throws -> AuthenticatorAnswer {
        try await bench.manage(subcommand, parameters, token: token, command: command)
    }

    /// The relying parties that an enumeration gives, each with its answer.
    func relyingParties(_ bench: AuthenticatorBench, _ token: HeldToken) async throws -> [CBOR.Map] {
        let first = try bench.members(of: try await send(bench, .enumerateRPsBegin, nil, token))
        let total = try bench.number(first, 0x05, "totalRPs")
        var all = [first]
        while all.count < total {
            all.append(try bench.members(of: try await send(bench, .enumerateRPsGetNextRP, nil, nil)))
        }
        return all
    }

    /// The credentials of the case's relying party that an enumeration gives.
    func credentials(_ bench: AuthenticatorBench, _ token: HeldToken) async throws -> [CBOR.Map] {
        let first = try bench.members(
            of: try await send(bench, .enumerateCredentialsBegin, bench.rpIDHashParameters, token))
        let total = try bench.number(first, 0x09, "totalCredentials")
        var all = [first]
        while all.count < total {
            all.append(try bench.members(of: try await send(bench, .enumerateCredentialsGetNextCredential, nil, nil)))
        }
        return all
    }
}

extension CBOR.Map {
    /// The ID inside the member `credentialID`.
    var credentialID: [UInt8]? {
        guard case .map(let descriptor)? = self[0x07], case .bytes(let id)? = descriptor["id"] else { return nil }
        return id
    }
}
