internal import CBOR
internal import CTAP
internal import Conformance
internal import WebAuthn

/// Requests that are refused: members, codes, permissions and RP IDs (CTAP 2.3 §6.8).
struct CredentialRequestCases {
    private let command: ManagementCommand

    init(_ command: ManagementCommand) { self.command = command }

    @CaseTable var all: [Case] {
        authorisation
        members
        subcommands
        command.command == .credentialManagement ? scope : []
    }

    /// The subcommands that need a token, with parameters and sections.
    private static let authorised: [(CredentialManagementSubcommand, String, String, CBOR.Map?)] = [
        (.getCredsMetadata, "metadata", "6.8.2", nil), (.enumerateRPsBegin, "enumerateRPs", "6.8.3", nil),
        (
            .enumerateCredentialsBegin, "enumerateCredentials", "6.8.4",
            [0x01: .bytes([UInt8](repeating: 1, count: 32))]
        ),
        (.deleteCredential, "delete", "6.8.5", [0x02: descriptor]),
        (.updateUserInformation, "update", "6.8.6", [0x02: descriptor, 0x03: ["id": .bytes([1]), "name": "n"]]),
    ]

    private static let descriptor: CBOR.Value = [
        "id": .bytes([UInt8](repeating: 7, count: 32)), "type": "public-key",
    ]

    @CaseTable private var authorisation: [Case] {
        let command = command
        for (subcommand, name, section, parameters) in Self.authorised {
            command.make("\(name).noToken", "refuses \(name) without a token", section) { bench in
                bench.expect(
                    try await command.send(bench, subcommand, parameters, nil),
                    .puatRequired, .missingParameter)
            }
            command.make("\(name).wrongCode", "refuses \(name) with a wrong pinUvAuthParam", section) { bench in
                let token = try await command.token(bench)
                var request = bench.manageRequest(subcommand, parameters, token: token)
                request[0x04] = .bytes(token.authenticate([0x7F]))
                try await bench.refuse(command.command, request, with: [.pinAuthInvalid])
            }
            command.make("\(name).noProtocol", "refuses \(name) without a PIN/UV auth protocol", section) {
                bench in
                var request = bench.manageRequest(subcommand, parameters, token: try await command.token(bench))
                request[0x03] = nil
                try await bench.refuse(command.command, request, with: [.missingParameter, .invalidParameter])
            }
            command.make(
                "\(name).unknownProtocol", "refuses \(name) with an unknown PIN/UV auth protocol", section
            ) { bench in
                var request = bench.manageRequest(subcommand, parameters, token: try await command.token(bench))
                request[0x03] = 0x7E
                try await bench.refuse(command.command, request, with: [.invalidParameter])
            }
        }
    }

    @CaseTable private var members: [Case] {
        let command = command
        let rows: [(String, String, String, CredentialManagementSubcommand, CBOR.Map?, [CTAPStatus])] = [
            (
                "enumerateCredentials.noHash", "enumerateCredentials without rpIDHash", "6.8.4",
                .enumerateCredentialsBegin, nil, [.missingParameter]
            ),
            (
                "enumerateCredentials.textHash", "enumerateCredentials with rpIDHash as a text", "6.8.4",
                .enumerateCredentialsBegin, [0x01: "hash"], anyOf: RequestChange.wrongTypeStatuses
            ),
            ("delete.noID", "delete without credentialID", "6.8.5", .deleteCredential, nil, [.missingParameter]),
            (
                "delete.bytesID", "delete with credentialID as a byte string", "6.8.5", .deleteCredential,
                [0x02: .bytes([1])], anyOf: RequestChange.wrongTypeStatuses
            ),
            (
                "update.noUser", "update without user", "6.8.6", .updateUserInformation, [0x02: Self.descriptor],
                [.missingParameter]
            ),
            (
                "update.noID", "update without credentialID", "6.8.6", .updateUserInformation,
                [0x03: ["id": .bytes([1]), "name": "n"]], [.missingParameter]
            ),
        ]
        for (name, words, section, subcommand, parameters, statuses) in rows {
            command.make(name, "refuses \(words)", section) { bench in
                bench.expect(
                    try await command.send(
                        bench, subcommand, parameters, try await command.token(bench)), anyOf: statuses)
            }
        }
    }

    @CaseTable private var subcommands: [Case] {
        let command = command
        command.make("subCommand.missing", "refuses a request without a subcommand", "6.8") { bench in
            try await bench.refuse(command.command, [:], with: [.missingParameter])
        }
        command.make("subCommand.unknown", "refuses an unknown subcommand", "8.1") { bench in
            try await bench.refuse(command.command, [0x01: 0x7E], with: [.invalidSubcommand, .invalidParameter])
        }
        command.make("subCommand.wrongType", "refuses a subcommand that is a text", "6.8") { bench in
            try await bench.refuse(command.command, [0x01: "1"], with: RequestChange.wrongTypeStatuses)
        }
    }

    /// Tokens without the permission, and tokens bound to a relying party.
    @CaseTable private var scope: [Case] {
        let command = command
        for (subcommand, name, section, parameters) in Self.authorised {
            command.make(
                "\(name).noPermission", "refuses \(name) with a token without cm", section,
                needs: [.optionOn(.pinUvAuthToken), .optionOff(.noMcGaPermissionsWithClientPin)]
            ) { bench in
                let token = try await bench.pinToken(.getAssertion, rpID: bench.relyingPartyID)
                bench.expect(try await command.send(bench, subcommand, parameters, token), .pinAuthInvalid)
            }
        }
        for (subcommand, name, section, parameters) in Self.authorised.prefix(2) {
            command.make(
                "\(name).boundToken", "refuses \(name) with a token bound to a relying party", section,
                needs: [.optionOn(.pinUvAuthToken)]
            ) { bench in
                let token = try await command.token(bench, rpID: bench.relyingPartyID)
                bench.expect(try await command.send(bench, subcommand, parameters, token), .pinAuthInvalid)
            }
        }
        command.make(
            "enumerateCredentials.otherRP", "refuses another relying party's credentials for a bound token",
            "6.8.4", credentials: 1, needs: [.optionOn(.pinUvAuthToken)]
        ) { bench, _ in
            let token = try await command.token(bench, rpID: "other.\(bench.relyingPartyID)")
            bench.expect(
                try await command.send(
                    bench, .enumerateCredentialsBegin, bench.rpIDHashParameters, token), .pinAuthInvalid)
        }
        command.make(
            "enumerateCredentials.ownRP", "lists its relying party's credentials for a bound token", "6.8.4",
            credentials: 1, needs: [.optionOn(.pinUvAuthToken)]
        ) { bench, _ in
            let token = try await command.token(bench, rpID: bench.relyingPartyID)
            bench.expect(
                try await command.send(
                    bench, .enumerateCredentialsBegin, bench.rpIDHashParameters, token), .ok)
        }
        command.make(
            "delete.otherRP", "refuses to delete another relying party's credential for a bound token", "6.8.5",
            credentials: 1, needs: [.optionOn(.pinUvAuthToken)]
        ) { bench, made in
            let token = try await command.token(bench, rpID: "other.\(bench.relyingPartyID)")
            bench.expect(
                try await command.send(bench, .deleteCredential, [0x02: made[0].descriptor], token),
                .pinAuthInvalid)
        }
        command.make(
            "delete.ownRP", "deletes its relying party's credential for a bound token", "6.8.5", credentials: 1,
            needs: [.optionOn(.pinUvAuthToken)]
        ) { bench, made in
            let token = try await command.token(bench, rpID: bench.relyingPartyID)
            bench.expect(try await command.send(bench, .deleteCredential, [0x02: made[0].descriptor], token), .ok)
        }
        for isOwn in [false, true] {
            command.make(
                isOwn ? "update.ownRP" : "update.otherRP",
                isOwn
                    ? "renames a user of its relying party for a bound token"
                    : "refuses to rename another relying party's user for a bound token", "6.8.6", credentials: 1,
                needs: [.optionOn(.pinUvAuthToken)]
            ) { bench, made in
                let token = try await command.token(
                    bench, rpID: isOwn ? bench.relyingPartyID : "other.\(bench.relyingPartyID)")
                let parameters: CBOR.Map = [
                    0x02: made[0].descriptor, 0x03: ["id": .bytes(made[0].userID), "name": "renamed"],
                ]
                bench.expect(
                    try await command.send(bench, .updateUserInformation, parameters, token),
                    anyOf: [isOwn ? .ok : .pinAuthInvalid])
            }
        }
    }
}

/// Persistent tokens that only read (CTAP 2.2 §6.5.5.7, pcmr).
enum PersistentTokenCases {
    @CaseTable static var all: [Case] {
        make("reads", "The persistent token reads the metadata of credentials.") { bench, token in
            bench.expect(try await bench.manage(.getCredsMetadata, token: token), .ok)
        }
        make("lists", "The persistent token lists relying parties and their credentials.") { bench, token in
            _ = try await bench.makeAny(discoverable: true)
            bench.expect(try await bench.manage(.enumerateRPsBegin, token: token), .ok)
            bench.expect(
                try await bench.manage(.enumerateCredentialsBegin, bench.rpIDHashParameters, token: token), .ok)
        }
        make("same", "The persistent token is the same each time.") { bench, token in
            let again = try await bench.pinToken(.persistentCredentialManagementReadOnly)
            bench.expect(again.bytes == token.bytes, "the same token", seen: "another token")
        }
        make("powerCycle", "The persistent token outlives a power cycle.") { bench, token in
            try await bench.powerCycle()
            bench.expect(try await bench.manage(.getCredsMetadata, token: token), .ok)
        }
        make("beside", "The persistent token is good beside a newer token.") { bench, token in
            _ = try await bench.pinToken(.credentialManagement)
            bench.expect(try await bench.manage(.getCredsMetadata, token: token), .ok)
        }
        make("deletesNothing", "The persistent token deletes no credential.") { bench, token in
            let made = try await bench.makeAny(discoverable: true)
            bench.expect(
                try await bench.manage(.deleteCredential, [0x02: made.descriptor], token: token),
                .pinAuthInvalid)
        }
        make("renamesNothing", "The persistent token renames no user.") { bench, token in
            let made = try await bench.makeAny(discoverable: true)
            bench.expect(
                try await bench.manage(
                    .updateUserInformation,
                    [0x02: made.descriptor, 0x03: ["id": .bytes(made.userID), "name": "renamed"]], token: token),
                .pinAuthInvalid)
        }
        make("registersNothing", "The persistent token authorises no registration.") { bench, token in
            bench.expect(try await bench.makeAnswer(token: token), .pinAuthInvalid)
        }
        make("pinChange", "A change of the PIN ends the persistent token.", effects: [.changesPIN]) { bench, token in
            let old = try bench.knownPIN
            bench.expect(try await bench.changePIN(from: old, to: "61830527", try bench.preferredProtocol), .ok)
            bench.expect(try await bench.manage(.getCredsMetadata, token: token), .pinAuthInvalid)
            bench.expect(try await bench.changePIN(from: "61830527", to: old, try bench.preferredProtocol), .ok)
        }
        make("identifier", "The persistent token decrypts the same encIdentifier from two answers of getInfo.") {
            bench, token in
            let first = try await bench.hiddenInfo(.encIdentifier, token)
            let second = try await bench.hiddenInfo(.encIdentifier, token)
            bench.expect(
                first == second, "the identifier \(Hex.encode(first))", seen: Hex.encode(second), clause: .ctap("6.4"))
        }
        make("storeState", "The persistent token decrypts an encCredStoreState that changes with the credentials.") {
            bench, token in
            let first = try await bench.hiddenInfo(.encCredStoreState, token)
            let same = try await bench.hiddenInfo(.encCredStoreState, token)
            bench.expect(first == same, "the same state twice", seen: "two states", clause: .ctap("6.4"))
            var states: Set<[UInt8]> = [first]
            let made = try await bench.makeAny(discoverable: true)
            states.insert(try await bench.hiddenInfo(.encCredStoreState, token))
            let manager = try await bench.pinToken(.credentialManagement)
            bench.expect(
                try await bench.manage(
                    .updateUserInformation,
                    [0x02: made.descriptor, 0x03: ["id": .bytes(made.userID), "name": "renamed"]], token: manager), .ok)
            states.insert(try await bench.hiddenInfo(.encCredStoreState, token))
            bench.expect(try await bench.manage(.deleteCredential, [0x02: made.descriptor], token: manager), .ok)
            states.insert(try await bench.hiddenInfo(.encCredStoreState, token))
            bench.expect(
                states.count == 4, "a new state after the registration, the renaming and the deletion",
                seen: "\(states.count - 1) new states", clause: .ctap("6.4"))
        }
    }

    private static func make(
        _ name: String, _ title: String, effects: Set<CaseEffect> = [],
        _ steps: @escaping @Sendable (AuthenticatorBench, HeldToken) async throws -> Void
    ) -> Case {
        Case(
            "credentialManagement.persistentToken.\(name)", title, .ctap("6.5.5.7"), from: .pin,
            needs: [.optionOn(.perCredMgmtRO), .discoverableCredentials], effects: effects
        ) { bench in
            try await steps(bench, try await bench.pinToken(.persistentCredentialManagementReadOnly))
        }
    }
}

extension AuthenticatorBench {
    /// The value of a member of getInfo that the persistent token decrypts (CTAP 2.3 §6.4).
    ///
    /// - Throws: `CaseStop` for a member that is missing or has other than 32 bytes.
    func hiddenInfo(_ member: InfoMember, _ token: HeldToken) async throws -> [UInt8] {
        let members = try await accept(.getInfo)
        let bytes = try bytes(members, member.rawValue, member.name)
        guard let value = HiddenInfoKey(token: token.bytes, member: member).decrypt(bytes) else {
            throw fail("\(member.name) of 32 bytes", seen: "\(bytes.count) bytes", clause: .ctap("6.4"))
        }
        return value
    }
}
