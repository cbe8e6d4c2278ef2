internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance

/// Reading: metadata, relying parties and credentials (CTAP 2.3 §6.8.2 to §6.8.4).
struct CredentialListCases {
    private let command: ManagementCommand

    init(_ command: ManagementCommand) { self.command = command }

    @CaseTable var all: [Case] {
        metadata
        relyingParties
        credentials
        runs
    }

    @CaseTable private var metadata: [Case] {
        let command = command
        command.make("metadata.counts", "counts a new discoverable credential", "6.8.2", credentials: 0) { bench, _ in
            let before = try bench.members(
                of: try await command.send(bench, .getCredsMetadata, nil, try await command.token(bench)))
            _ = try await bench.makeAny(discoverable: true)
            let after = try bench.members(
                of: try await command.send(bench, .getCredsMetadata, nil, try await command.token(bench)))
            let (existing, remaining) = (
                try bench.number(before, 0x01, "existingResidentCredentialsCount"),
                try bench.number(before, 0x02, "maxPossibleRemainingResidentCredentialsCount")
            )
            bench.expect(after, 0x01, "existingResidentCredentialsCount", .integer(existing + 1))
            let left = try bench.number(after, 0x02, "maxPossibleRemainingResidentCredentialsCount")
            bench.expect(left < remaining, "fewer than \(remaining) remaining", seen: "\(left)")
        }
        command.make(
            "metadata.getInfo", "gives the number of remaining credentials that getInfo gives", "6.8.2",
            needs: [.member(.remainingDiscoverableCredentials)]
        ) { bench in
            let declared = try await bench.readInfo().remainingDiscoverableCredentials ?? 0
            let members = try bench.members(
                of: try await command.send(bench, .getCredsMetadata, nil, try await command.token(bench)))
            let left = try bench.number(members, 0x02, "maxPossibleRemainingResidentCredentialsCount")
            bench.expect(left == declared, "\(declared), as in getInfo", seen: "\(left)", level: .should)
        }
    }

    @CaseTable private var relyingParties: [Case] {
        let command = command
        command.make("enumerateRPs.none", "finds no relying party after a reset", "6.8.3", from: .freshPIN) { bench in
            let token = try await command.token(bench)
            bench.expect(try await command.send(bench, .enumerateRPsBegin, nil, token), .noCredentials)
            let metadata = try bench.members(of: try await command.send(bench, .getCredsMetadata, nil, token))
            bench.expect(metadata, 0x01, "existingResidentCredentialsCount", 0)
        }
        command.make("enumerateRPs.found", "lists a relying party with its ID and its hash", "6.8.3", credentials: 1) {
            bench, _ in
            let all = try await command.relyingParties(bench, try await command.token(bench))
            let hash = CBOR.Value.bytes(sha256(Array(bench.relyingPartyID.utf8)))
            let found = all.first { $0[0x04] == hash }
            try bench.require(
                found != nil, "an entry whose rpIDHash is the relying party's", seen: "\(all.count) others")
            guard case .map(let rp)? = found?[0x03] else { throw bench.fail("the member rp", seen: "none") }
            bench.expect(
                rp["id"] == .text(bench.relyingPartyID), "the RP ID \(bench.relyingPartyID)",
                seen: "\(CBOR.Value.map(rp))",
                level: .should)
        }
        command.make(
            "enumerateRPs.once", "lists each relying party once, however many credentials it has", "6.8.3",
            credentials: 2
        ) { bench, _ in
            let all = try await command.relyingParties(bench, try await command.token(bench))
            let hashes = all.compactMap { $0[0x04] }
            bench.expect(Set(hashes).count == hashes.count, "distinct hashes", seen: "\(hashes.count) with repetitions")
        }
        command.make("enumerateRPs.totalOnlyFirst", "gives totalRPs in the first answer only", "6.8.3", credentials: 1)
        { bench, _ in
            _ = try await bench.makeAny(discoverable: true, rpID: "second.\(bench.relyingPartyID)")
            let all = try await command.relyingParties(bench, try await command.token(bench))
            bench.expect(all.dropFirst().allSatisfy { $0[0x05] == nil }, "no totalRPs later", seen: "totalRPs again")
        }
        command.make(
            "enumerateRPs.eachHash", "lists each of two relying parties with its own hash", "6.8.3", credentials: 1
        ) { bench, _ in
            let names = [bench.relyingPartyID, "second.\(bench.relyingPartyID)"]
            _ = try await bench.makeAny(discoverable: true, rpID: names[1])
            let all = try await command.relyingParties(bench, try await command.token(bench))
            for name in names {
                let entry = all.first { entry in
                    guard case .map(let rp)? = entry[0x03] else { return false }
                    return rp["id"] == .text(name)
                }
                // An authenticator may store a part of the RP ID only (CTAP 2.3 §6.8.7).
                guard let entry else { continue }
                bench.expect(entry, 0x04, "rpIDHash of \(name)", .bytes(sha256(Array(name.utf8))))
            }
        }
        command.make("enumerateRPs.end", "refuses another step after the last relying party", "6.8.3", credentials: 1) {
            bench, _ in
            _ = try await command.relyingParties(bench, try await command.token(bench))
            bench.expect(try await command.send(bench, .enumerateRPsGetNextRP, nil, nil), .notAllowed)
        }
        command.make(
            "enumerateRPs.nonDiscoverable", "does not list credentials that are not discoverable", "6.8.3",
            needs: [.credentials], person: [.touch]
        ) { bench in
            _ = try await bench.makeAny()
            let answer = try await command.send(
                bench, .enumerateCredentialsBegin, bench.rpIDHashParameters, try await command.token(bench))
            bench.expect(answer, .noCredentials)
        }
    }

    @CaseTable private var credentials: [Case] {
        let command = command
        let section = "6.8.4"
        command.make(
            "enumerateCredentials.all", "lists every credential of a relying party once", section, credentials: 3
        ) { bench, made in
            let all = try await command.credentials(bench, try await command.token(bench))
            let ids = all.compactMap(\.credentialID)
            bench.expect(
                Set(ids) == Set(made.map(\.id)) && ids.count == made.count,
                "the \(made.count) credentials of the case", seen: "\(ids.count) credentials")
        }
        command.make("enumerateCredentials.user", "gives the user of a credential", section, credentials: 1) {
            bench, made in
            let all = try await command.credentials(bench, try await command.token(bench))
            guard case .map(let user)? = all[0][0x06] else { throw bench.fail("the member user", seen: "none") }
            bench.expect(
                user["id"] == .bytes(made[0].userID), "the user ID of the registration", seen: "\(CBOR.Value.map(user))"
            )
            bench.expect(
                user["name"] == "conformance", "the name of the registration", seen: "\(CBOR.Value.map(user))",
                level: .should)
        }
        command.make(
            "enumerateCredentials.descriptor", "gives a credential's ID with the type public-key", section,
            credentials: 1
        ) { bench, made in
            let all = try await command.credentials(bench, try await command.token(bench))
            guard case .map(let descriptor)? = all[0][0x07] else {
                throw bench.fail("the member credentialID", seen: "none")
            }
            bench.expect(
                descriptor["id"] == .bytes(made[0].id) && descriptor["type"] == "public-key",
                "the descriptor of the registration", seen: "\(descriptor)")
        }
        command.make("enumerateCredentials.publicKey", "gives the public key of a credential", section, credentials: 1)
        { bench, made in
            let all = try await command.credentials(bench, try await command.token(bench))
            guard let item = all[0][0x08], let key = try? COSE.PublicKey(cbor: item) else {
                throw bench.fail("a COSE key in publicKey", seen: "none")
            }
            bench.expect(key == made[0].publicKey, "the key of the registration", seen: "another key")
        }
        command.make(
            "enumerateCredentials.credProtect", "gives the protection of a credential", section, credentials: 0,
            needs: [.supported("credProtect")]
        ) { bench, _ in
            _ = try await bench.makeAny(extensions: ["credProtect": 2], discoverable: true)
            let all = try await command.credentials(bench, try await command.token(bench))
            bench.expect(all[0], 0x0A, "credProtect", 2)
        }
        command.make(
            "enumerateCredentials.largeBlobKey", "gives the large-blob key of a credential", section,
            credentials: 0, needs: [.supported("largeBlobKey")]
        ) { bench, _ in
            let made = try await bench.makeAny(extensions: ["largeBlobKey": true], discoverable: true)
            let all = try await command.credentials(bench, try await command.token(bench))
            bench.expect(all[0], 0x0B, "largeBlobKey", made.response[0x05])
        }
        command.make(
            "enumerateCredentials.thirdPartyPayment", "says whether a credential may be used for payments",
            section, credentials: 0, needs: [.supported("thirdPartyPayment")]
        ) { bench, _ in
            _ = try await bench.makeAny(extensions: ["thirdPartyPayment": true], discoverable: true)
            let all = try await command.credentials(bench, try await command.token(bench))
            bench.expect(all[0], 0x0C, "thirdPartyPayment", true)
        }
        command.make(
            "enumerateCredentials.totalOnlyFirst", "gives totalCredentials in the first answer only", section,
            credentials: 2
        ) { bench, _ in
            let all = try await command.credentials(bench, try await command.token(bench))
            bench.expect(
                all.dropFirst().allSatisfy { $0[0x09] == nil }, "no totalCredentials later",
                seen: "totalCredentials again")
        }
        command.make("enumerateCredentials.unknownRP", "finds no credentials of an unknown relying party", section) {
            bench in
            let answer = try await command.send(
                bench, .enumerateCredentialsBegin, bench.rpIDHashParameters, try await command.token(bench))
            bench.expect(answer, .noCredentials)
        }
    }

    /// Runs of answers, and the requests that end them (CTAP 2.3 §6, stateful commands).
    @CaseTable private var runs: [Case] {
        let command = command
        let steps: [(String, CredentialManagementSubcommand, String)] = [
            ("enumerateRPs", .enumerateRPsGetNextRP, "6.8.3"),
            ("enumerateCredentials", .enumerateCredentialsGetNextCredential, "6.8.4"),
        ]
        for (name, next, section) in steps {
            command.make("\(name).notBegun", "refuses a next step of \(name) that was not begun", section) { bench in
                _ = try await bench.readInfo()
                bench.expect(try await command.send(bench, next, nil, nil), .notAllowed)
            }
        }
        command.make(
            "enumerateCredentials.end", "refuses another step after the last credential", "6.8.4", credentials: 1
        ) { bench, _ in
            _ = try await command.credentials(bench, try await command.token(bench))
            bench.expect(try await command.send(bench, .enumerateCredentialsGetNextCredential, nil, nil), .notAllowed)
        }
        command.make(
            "enumerateCredentials.interrupted", "ends an enumeration at the next other command", "6", credentials: 2
        ) { bench, _ in
            _ = try bench.members(
                of: try await command.send(
                    bench, .enumerateCredentialsBegin, bench.rpIDHashParameters, try await command.token(bench)))
            _ = try await bench.readInfo()
            bench.expect(try await command.send(bench, .enumerateCredentialsGetNextCredential, nil, nil), .notAllowed)
        }
        command.make(
            "enumerateCredentials.tokenEnd", "ends an enumeration with the token that began it", "6", credentials: 2,
            needs: [.optionOn(.pinUvAuthToken), .simulatedDevice]
        ) { bench, _ in
            _ = try bench.members(
                of: try await command.send(
                    bench, .enumerateCredentialsBegin, bench.rpIDHashParameters, try await command.token(bench)))
            // The maximum usage time period (CTAP 2.3 §6.5.2.1).
            try await bench.wait(.seconds(601))
            bench.expect(try await command.send(bench, .enumerateCredentialsGetNextCredential, nil, nil), .notAllowed)
        }
        command.make(
            "enumerateRPs.interrupted", "ends an enumeration of relying parties at the next other command", "6",
            credentials: 1
        ) { bench, _ in
            _ = try await bench.makeAny(discoverable: true, rpID: "second.\(bench.relyingPartyID)")
            _ = try bench.members(
                of: try await command.send(bench, .enumerateRPsBegin, nil, try await command.token(bench)))
            _ = try await bench.readInfo()
            bench.expect(try await command.send(bench, .enumerateRPsGetNextRP, nil, nil), .notAllowed)
        }
        command.make(
            "enumerateCredentials.powerCycle", "ends an enumeration at a power cycle", "6", credentials: 2,
            needs: [.powerCycle]
        ) { bench, _ in
            _ = try bench.members(
                of: try await command.send(
                    bench, .enumerateCredentialsBegin, bench.rpIDHashParameters, try await command.token(bench)))
            try await bench.powerCycle()
            bench.expect(try await command.send(bench, .enumerateCredentialsGetNextCredential, nil, nil), .notAllowed)
        }
    }
}
