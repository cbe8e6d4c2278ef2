internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance

/// Deleting and renaming (CTAP 2.3 §6.8.5, §6.8.6).
struct CredentialChangeCases {
    private let command: ManagementCommand

    init(_ command: ManagementCommand) { self.command = command }

    @CaseTable var all: [Case] {
        deletion
        update
    }

    @CaseTable private var deletion: [Case] {
        let command = command
        let section = "6.8.5"
        command.make(
            "delete.gone", "deletes a credential, which signs no more", section, credentials: 1
        ) { bench, made in
            let answer = try await command.send(
                bench, .deleteCredential, [0x02: made[0].descriptor], try await command.token(bench))
            bench.expectEmptySuccess(answer)
            bench.expectRefusal(
                try await bench.assert(silently: true, allowing: made), of: "an assertion with the deleted credential")
        }
        command.make("delete.others", "deletes no other credential", section, credentials: 2) { bench, made in
            let token = try await command.token(bench)
            bench.expect(try await command.send(bench, .deleteCredential, [0x02: made[0].descriptor], token), .ok)
            let left = try await command.credentials(bench, try await command.token(bench))
            bench.expect(left.compactMap(\.credentialID) == [made[1].id], "the other credential", seen: "\(left.count)")
        }
        command.make("delete.twice", "refuses to delete a credential twice", section, credentials: 1) {
            bench, made in
            let token = try await command.token(bench)
            bench.expect(try await command.send(bench, .deleteCredential, [0x02: made[0].descriptor], token), .ok)
            bench.expect(
                try await command.send(bench, .deleteCredential, [0x02: made[0].descriptor], token),
                .noCredentials)
        }
        command.make("delete.unknown", "refuses to delete an unknown credential", section) { bench in
            let descriptor: CBOR.Value = [
                "id": .bytes([UInt8](repeating: 7, count: 32)), "type": "public-key",
            ]
            bench.expect(
                try await command.send(bench, .deleteCredential, [0x02: descriptor], try await command.token(bench)),
                .noCredentials)
        }
        command.make(
            "delete.count", "gives the place of a deleted credential back", section, credentials: 0
        ) { bench, _ in
            let token = try await command.token(bench)
            let before = try bench.members(of: try await command.send(bench, .getCredsMetadata, nil, token))
            let made = try await bench.makeAny(discoverable: true)
            let second = try await command.token(bench)
            bench.expect(try await command.send(bench, .deleteCredential, [0x02: made.descriptor], second), .ok)
            let after = try bench.members(of: try await command.send(bench, .getCredsMetadata, nil, second))
            bench.expect(after, 0x01, "existingResidentCredentialsCount", before[0x01])
            bench.expect(after, 0x02, "maxPossibleRemainingResidentCredentialsCount", before[0x02])
        }
    }

    @CaseTable private var update: [Case] {
        let command = command
        let section = "6.8.6"
        command.make("update.name", "replaces the names of a user", section, credentials: 1) { bench, made in
            let token = try await command.token(bench)
            bench.expectEmptySuccess(
                try await command.send(bench, .updateUserInformation, Self.renamed(made[0]), token))
            let all = try await command.credentials(bench, try await command.token(bench))
            guard case .map(let user)? = all[0][0x06] else { throw bench.fail("the member user", seen: "none") }
            bench.expect(
                user["name"] == "renamed" && user["displayName"] == "Renamed", "the new names",
                seen: "\(CBOR.Value.map(user))")
        }
        command.make(
            "update.removesName", "removes a name that the new user information lacks", section, credentials: 1
        ) { bench, made in
            let token = try await command.token(bench)
            let parameters: CBOR.Map = [0x02: made[0].descriptor, 0x03: ["id": .bytes(made[0].userID)]]
            bench.expect(try await command.send(bench, .updateUserInformation, parameters, token), .ok)
            let all = try await command.credentials(bench, try await command.token(bench))
            guard case .map(let user)? = all[0][0x06] else { throw bench.fail("the member user", seen: "none") }
            bench.expect(user["name"] == nil || user["name"] == "", "no name", seen: "\(CBOR.Value.map(user))")
        }
        command.make(
            "update.otherUser", "refuses user information of another user ID", section, credentials: 1
        ) { bench, made in
            bench.expect(
                try await command.send(
                    bench, .updateUserInformation, Self.renamed(made[0], [1, 2, 3]),
                    try await command.token(bench)), .invalidParameter)
        }
        command.make("update.unknown", "refuses user information of an unknown credential", section) { bench in
            let parameters: CBOR.Map = [
                0x02: ["id": .bytes([UInt8](repeating: 7, count: 32)), "type": "public-key"],
                0x03: ["id": .bytes([1]), "name": "renamed"],
            ]
            bench.expect(
                try await command.send(bench, .updateUserInformation, parameters, try await command.token(bench)),
                .noCredentials)
        }
        command.make(
            "update.keepsKey", "keeps the key of a credential whose user is renamed", section, credentials: 1
        ) { bench, made in
            let token = try await command.token(bench)
            bench.expect(try await command.send(bench, .updateUserInformation, Self.renamed(made[0]), token), .ok)
            let request = bench.assertRequest(allowing: made, options: ["up": false])
            let given = try bench.given(try await bench.send(.getAssertion, request))
            let signature = try bench.bytes(given.response, 0x03, "signature (0x03)")
            let signed =
                try bench.bytes(given.response, 0x02, "authData (0x02)")
                + bench.bytes(request, 0x02, "clientDataHash")
            bench.expect(
                made[0].publicKey.verify(signature, over: signed), "a signature by the credential's key",
                seen: "another signature")
        }
        command.make(
            "update.keepsProtection", "keeps the protection of a credential whose user is renamed", section,
            credentials: 0, needs: [.supported("credProtect")]
        ) { bench, _ in
            let made = try await bench.makeAny(extensions: ["credProtect": 3], discoverable: true)
            try await bench.record.preparing("the protection before the change") {
                let before = try await command.credentials(bench, try await command.token(bench))
                guard before[0][0x0A] == 3 else { throw CaseStop.notRun("the list does not show the protection") }
            }
            let token = try await command.token(bench)
            try bench.require(try await command.send(bench, .updateUserInformation, Self.renamed(made), token), .ok)
            let all = try await command.credentials(bench, try await command.token(bench))
            bench.expect(all[0], 0x0A, "credProtect", 3)
        }
    }

    /// The parameters that rename a credential's user.
    private static func renamed(_ made: BenchCredential, _ id: [UInt8]? = nil) -> CBOR.Map {
        [
            0x02: made.descriptor,
            0x03: ["id": .bytes(id ?? made.userID), "name": "renamed", "displayName": "Renamed"],
        ]
    }
}
