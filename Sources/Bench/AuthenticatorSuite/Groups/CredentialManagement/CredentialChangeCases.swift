internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance

/// Deleting and renaming (CTAP 2.3 §6.8.5, §6.8.6).
struct CredentialChangeCases {
    private let command: ManagementCommand

    init(_ command: ManagementCommand) { self.command = command }

    var all: [AuthenticatorCase] { deletion + update }

    private var deletion: [AuthenticatorCase] {
        let command = command
        let section = "6.8.5"
        return [
            command.make(
                "delete.gone", "deletes a credential, which signs no more", section, credentials: 1
            ) { platform, made in
                let answer = try await command.send(
                    platform, .deleteCredential, [0x02: made[0].descriptor], try await command.token(platform))
                platform.expect(answer, [.ok])
                platform.expect(try await platform.assert(silently: true, allowing: made), [.noCredentials])
            },
            command.make("delete.others", "deletes no other credential", section, credentials: 2) { platform, made in
                let token = try await command.token(platform)
                platform.expect(
                    try await command.send(platform, .deleteCredential, [0x02: made[0].descriptor], token), [.ok])
                let left = try await command.credentials(platform, try await command.token(platform))
                platform.recorder.expect(
                    left.compactMap(\.credentialID) == [made[1].id], "the other credential", seen: "\(left.count)")
            },
            command.make("delete.twice", "refuses to delete a credential twice", section, credentials: 1) {
                platform, made in
                let token = try await command.token(platform)
                platform.expect(
                    try await command.send(platform, .deleteCredential, [0x02: made[0].descriptor], token), [.ok])
                platform.expect(
                    try await command.send(platform, .deleteCredential, [0x02: made[0].descriptor], token),
                    [.noCredentials])
            },
            command.make("delete.unknown", "refuses to delete an unknown credential", section) { platform in
                let descriptor: CBOR.Value = [
                    "id": .bytes([UInt8](repeating: 7, count: 32)), "type": "public-key",
                ]
                platform.expect(
                    try await command.send(
                        platform, .deleteCredential, [0x02: descriptor], try await command.token(platform)),
                    [.noCredentials])
            },
            command.make(
                "delete.count", "gives the place of a deleted credential back", section, credentials: 0
            ) { platform, _ in
                let token = try await command.token(platform)
                let before = try platform.members(of: try await command.send(platform, .getCredsMetadata, nil, token))
                let made = try await platform.makeAny(discoverable: true)
                let second = try await command.token(platform)
                platform.expect(
                    try await command.send(platform, .deleteCredential, [0x02: made.descriptor], second), [.ok])
                let after = try platform.members(of: try await command.send(platform, .getCredsMetadata, nil, second))
                platform.expect(after, 0x01, "existingResidentCredentialsCount", before[0x01])
                platform.expect(after, 0x02, "maxPossibleRemainingResidentCredentialsCount", before[0x02])
            },
        ]
    }

    private var update: [AuthenticatorCase] {
        let command = command
        let section = "6.8.6"
        @Sendable func renamed(_ made: BenchCredential, _ id: [UInt8]? = nil) -> CBOR.Map {
            [
                0x02: made.descriptor,
                0x03: ["id": .bytes(id ?? made.userID), "name": "renamed", "displayName": "Renamed"],
            ]
        }
        return [
            command.make(
                "update.name", "replaces the names of a user", section, credentials: 1
            ) { platform, made in
                let token = try await command.token(platform)
                platform.expect(
                    try await command.send(platform, .updateUserInformation, renamed(made[0]), token), [.ok])
                let all = try await command.credentials(platform, try await command.token(platform))
                guard case .map(let user)? = all[0][0x06] else {
                    throw platform.recorder.fail("the member user", seen: "none")
                }
                platform.recorder.expect(
                    user["name"] == "renamed" && user["displayName"] == "Renamed", "the new names", seen: "\(user)")
            },
            command.make(
                "update.removesName", "removes a name that the new user information lacks", section, credentials: 1
            ) { platform, made in
                let token = try await command.token(platform)
                let parameters: CBOR.Map = [0x02: made[0].descriptor, 0x03: ["id": .bytes(made[0].userID)]]
                platform.expect(
                    try await command.send(platform, .updateUserInformation, parameters, token), [.ok])
                let all = try await command.credentials(platform, try await command.token(platform))
                guard case .map(let user)? = all[0][0x06] else {
                    throw platform.recorder.fail("the member user", seen: "none")
                }
                platform.recorder.expect(user["name"] == nil || user["name"] == "", "no name", seen: "\(user)")
            },
            command.make(
                "update.otherUser", "refuses user information of another user ID", section, credentials: 1
            ) { platform, made in
                platform.expect(
                    try await command.send(
                        platform, .updateUserInformation, renamed(made[0], [1, 2, 3]),
                        try await command.token(platform)), [.invalidParameter])
            },
            command.make("update.unknown", "refuses user information of an unknown credential", section) { platform in
                let parameters: CBOR.Map = [
                    0x02: ["id": .bytes([UInt8](repeating: 7, count: 32)), "type": "public-key"],
                    0x03: ["id": .bytes([1]), "name": "renamed"],
                ]
                platform.expect(
                    try await command.send(
                        platform, .updateUserInformation, parameters, try await command.token(platform)),
                    [.noCredentials])
            },
            command.make(
                "update.keepsKey", "keeps the key of a credential whose user is renamed", section, credentials: 1
            ) { platform, made in
                let token = try await command.token(platform)
                platform.expect(
                    try await command.send(platform, .updateUserInformation, renamed(made[0]), token), [.ok])
                let request = platform.assertRequest(allowing: made, options: ["up": false])
                let given = try platform.given(try await platform.send(.getAssertion, request))
                let signature = try platform.bytes(given.response, 0x03, "signature (0x03)")
                let signed =
                    try platform.bytes(given.response, 0x02, "authData (0x02)")
                    + platform.bytes(request, 0x02, "clientDataHash")
                platform.recorder.expect(
                    made[0].publicKey.verify(signature, over: signed), "a signature by the credential's key",
                    seen: "another signature")
            },
        ]
    }
}
