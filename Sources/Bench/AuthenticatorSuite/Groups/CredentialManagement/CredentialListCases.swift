internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance

/// Reading: metadata, relying parties and credentials (CTAP 2.3 §6.8.2 to §6.8.4).
struct CredentialListCases {
    private let command: ManagementCommand

    init(_ command: ManagementCommand) { self.command = command }

    var all: [AuthenticatorCase] { metadata + relyingParties + credentials + runs }

    private var metadata: [AuthenticatorCase] {
        let command = command
        return [
            command.make("metadata.counts", "counts a new discoverable credential", "6.8.2", credentials: 0) {
                platform, _ in
                let before = try platform.members(
                    of: try await command.send(platform, .getCredsMetadata, nil, try await command.token(platform)))
                _ = try await platform.makeAny(discoverable: true)
                let after = try platform.members(
                    of: try await command.send(platform, .getCredsMetadata, nil, try await command.token(platform)))
                let (existing, remaining) = (
                    try platform.number(before, 0x01, "existingResidentCredentialsCount"),
                    try platform.number(before, 0x02, "maxPossibleRemainingResidentCredentialsCount")
                )
                platform.expect(after, 0x01, "existingResidentCredentialsCount", .integer(existing + 1))
                let left = try platform.number(after, 0x02, "maxPossibleRemainingResidentCredentialsCount")
                platform.recorder.expect(left < remaining, "fewer than \(remaining) remaining", seen: "\(left)")
            },
            command.make(
                "metadata.getInfo", "gives the number of remaining credentials that getInfo gives", "6.8.2",
                needs: [.member(.remainingDiscoverableCredentials)]
            ) { platform in
                let declared = try await platform.information().remainingDiscoverableCredentials ?? 0
                let members = try platform.members(
                    of: try await command.send(platform, .getCredsMetadata, nil, try await command.token(platform)))
                let left = try platform.number(members, 0x02, "maxPossibleRemainingResidentCredentialsCount")
                platform.recorder.expect(
                    left == declared, "\(declared), as in getInfo", seen: "\(left)", level: .should)
            },
        ]
    }

    private var relyingParties: [AuthenticatorCase] {
        let command = command
        return [
            command.make("enumerateRPs.none", "finds no relying party after a reset", "6.8.3", from: .freshPIN) {
                platform in
                let token = try await command.token(platform)
                platform.expect(try await command.send(platform, .enumerateRPsBegin, nil, token), [.noCredentials])
            },
            command.make(
                "enumerateRPs.found", "lists a relying party with its ID and its hash", "6.8.3", credentials: 1
            ) { platform, _ in
                let all = try await command.relyingParties(platform, try await command.token(platform))
                let hash = CBOR.Value.bytes(Platform.digest(Array(platform.rpID.utf8)))
                let found = all.first { $0[0x04] == hash }
                try platform.recorder.require(
                    found != nil, "an entry whose rpIDHash is the relying party's", seen: "\(all.count) others")
                guard case .map(let rp)? = found?[0x03] else {
                    throw platform.recorder.fail("the member rp", seen: "none")
                }
                platform.recorder.expect(
                    rp["id"] == .text(platform.rpID), "the RP ID \(platform.rpID)", seen: "\(rp)", level: .should)
            },
            command.make(
                "enumerateRPs.once", "lists each relying party once, however many credentials it has", "6.8.3",
                credentials: 2
            ) { platform, _ in
                let all = try await command.relyingParties(platform, try await command.token(platform))
                let hashes = all.compactMap { $0[0x04] }
                platform.recorder.expect(
                    Set(hashes).count == hashes.count, "distinct hashes", seen: "\(hashes.count) with repetitions")
            },
            command.make(
                "enumerateRPs.totalOnlyFirst", "gives totalRPs in the first answer only", "6.8.3", credentials: 1
            ) { platform, _ in
                _ = try await platform.makeAny(discoverable: true, rpID: "second.\(platform.rpID)")
                let all = try await command.relyingParties(platform, try await command.token(platform))
                platform.recorder.expect(
                    all.dropFirst().allSatisfy { $0[0x05] == nil }, "no totalRPs later", seen: "totalRPs again")
            },
            command.make(
                "enumerateRPs.end", "refuses another step after the last relying party", "6.8.3", credentials: 1
            ) { platform, _ in
                _ = try await command.relyingParties(platform, try await command.token(platform))
                platform.expect(try await command.send(platform, .enumerateRPsGetNextRP, nil, nil), [.notAllowed])
            },
            command.make(
                "enumerateRPs.nonDiscoverable", "does not list credentials that are not discoverable", "6.8.3",
                needs: [.credentials], person: [.touch]
            ) { platform in
                _ = try await platform.makeAny()
                let answer = try await command.send(
                    platform, .enumerateCredentialsBegin, platform.rpIDHashParameters,
                    try await command.token(platform))
                platform.expect(answer, [.noCredentials])
            },
        ]
    }

    private var credentials: [AuthenticatorCase] {
        let command = command
        let section = "6.8.4"
        return [
            command.make(
                "enumerateCredentials.all", "lists every credential of a relying party once", section,
                credentials: 3
            ) { platform, made in
                let all = try await command.credentials(platform, try await command.token(platform))
                let ids = all.compactMap(\.credentialID)
                platform.recorder.expect(
                    Set(ids) == Set(made.map(\.id)) && ids.count == made.count,
                    "the \(made.count) credentials of the case", seen: "\(ids.count) credentials")
            },
            command.make("enumerateCredentials.user", "gives the user of a credential", section, credentials: 1) {
                platform, made in
                let all = try await command.credentials(platform, try await command.token(platform))
                guard case .map(let user)? = all[0][0x06] else {
                    throw platform.recorder.fail("the member user", seen: "none")
                }
                platform.recorder.expect(
                    user["id"] == .bytes(made[0].userID), "the user ID of the registration", seen: "\(user)")
                platform.recorder.expect(
                    user["name"] == "conformance", "the name of the registration", seen: "\(user)", level: .should)
            },
            command.make(
                "enumerateCredentials.descriptor", "gives a credential's ID with the type public-key", section,
                credentials: 1
            ) { platform, made in
                let all = try await command.credentials(platform, try await command.token(platform))
                guard case .map(let descriptor)? = all[0][0x07] else {
                    throw platform.recorder.fail("the member credentialID", seen: "none")
                }
                platform.recorder.expect(
                    descriptor["id"] == .bytes(made[0].id) && descriptor["type"] == "public-key",
                    "the descriptor of the registration", seen: "\(descriptor)")
            },
            command.make(
                "enumerateCredentials.publicKey", "gives the public key of a credential", section, credentials: 1
            ) { platform, made in
                let all = try await command.credentials(platform, try await command.token(platform))
                guard let item = all[0][0x08], let key = try? COSE.PublicKey(cbor: item) else {
                    throw platform.recorder.fail("a COSE key in publicKey", seen: "none")
                }
                platform.recorder.expect(key == made[0].publicKey, "the key of the registration", seen: "another key")
            },
            command.make(
                "enumerateCredentials.credProtect", "gives the protection of a credential", section, credentials: 0,
                needs: [.supported("credProtect")]
            ) { platform, _ in
                _ = try await platform.makeAny(extensions: ["credProtect": 2], discoverable: true)
                let all = try await command.credentials(platform, try await command.token(platform))
                platform.expect(all[0], 0x0A, "credProtect", 2)
            },
            command.make(
                "enumerateCredentials.largeBlobKey", "gives the large-blob key of a credential", section,
                credentials: 0, needs: [.supported("largeBlobKey")]
            ) { platform, _ in
                let made = try await platform.makeAny(extensions: ["largeBlobKey": true], discoverable: true)
                let all = try await command.credentials(platform, try await command.token(platform))
                platform.expect(all[0], 0x0B, "largeBlobKey", made.response[0x05])
            },
            command.make(
                "enumerateCredentials.thirdPartyPayment", "says whether a credential may be used for payments",
                section, credentials: 0, needs: [.supported("thirdPartyPayment")]
            ) { platform, _ in
                _ = try await platform.makeAny(extensions: ["thirdPartyPayment": true], discoverable: true)
                let all = try await command.credentials(platform, try await command.token(platform))
                platform.expect(all[0], 0x0C, "thirdPartyPayment", true)
            },
            command.make(
                "enumerateCredentials.totalOnlyFirst", "gives totalCredentials in the first answer only", section,
                credentials: 2
            ) { platform, _ in
                let all = try await command.credentials(platform, try await command.token(platform))
                platform.recorder.expect(
                    all.dropFirst().allSatisfy { $0[0x09] == nil }, "no totalCredentials later",
                    seen: "totalCredentials again")
            },
            command.make(
                "enumerateCredentials.unknownRP", "finds no credentials of an unknown relying party", section
            ) { platform in
                let answer = try await command.send(
                    platform, .enumerateCredentialsBegin, platform.rpIDHashParameters,
                    try await command.token(platform))
                platform.expect(answer, [.noCredentials])
            },
        ]
    }

    /// Runs of answers, and what ends them (CTAP 2.3 §6, stateful commands).
    private var runs: [AuthenticatorCase] {
        let command = command
        let steps: [(String, CredentialManagementSubcommand, String)] = [
            ("enumerateRPs", .enumerateRPsGetNextRP, "6.8.3"),
            ("enumerateCredentials", .enumerateCredentialsGetNextCredential, "6.8.4"),
        ]
        return steps.map { name, next, section in
            command.make("\(name).notBegun", "refuses a next step of \(name) that was not begun", section) { platform in
                _ = try await platform.information()
                platform.expect(try await command.send(platform, next, nil, nil), [.notAllowed])
            }
        } + [
            command.make(
                "enumerateCredentials.end", "refuses another step after the last credential", "6.8.4", credentials: 1
            ) { platform, _ in
                _ = try await command.credentials(platform, try await command.token(platform))
                platform.expect(
                    try await command.send(platform, .enumerateCredentialsGetNextCredential, nil, nil),
                    [.notAllowed])
            },
            command.make(
                "enumerateCredentials.interrupted", "ends an enumeration at the next other command", "6",
                credentials: 2
            ) { platform, _ in
                _ = try platform.members(
                    of: try await command.send(
                        platform, .enumerateCredentialsBegin, platform.rpIDHashParameters,
                        try await command.token(platform)))
                _ = try await platform.information()
                platform.expect(
                    try await command.send(platform, .enumerateCredentialsGetNextCredential, nil, nil),
                    [.notAllowed])
            },
            command.make(
                "enumerateCredentials.powerCycle", "ends an enumeration at a power cycle", "6", credentials: 2,
                needs: [.powerCycle]
            ) { platform, _ in
                _ = try platform.members(
                    of: try await command.send(
                        platform, .enumerateCredentialsBegin, platform.rpIDHashParameters,
                        try await command.token(platform)))
                try await platform.powerCycle()
                platform.expect(
                    try await command.send(platform, .enumerateCredentialsGetNextCredential, nil, nil),
                    [.notAllowed])
            },
        ]
    }
}
