import COSE
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("Imported credentials")
struct ImportedCredentialTests {
    private static func credential(
        _ id: UInt8, user: UInt8 = 1, discoverable: Bool = true, signCount: UInt32? = 10,
        algorithm: COSE.Algorithm = .es256
    ) throws -> ImportedCredential {
        ImportedCredential(
            id: Array(repeating: id, count: 16), isDiscoverable: discoverable, relyingPartyID: Bench.rpID,
            user: PublicKeyCredentialUserEntity(id: [user], name: "ada", displayName: "Ada"),
            privateKey: try COSE.PrivateKey(algorithm: algorithm, rawRepresentation: Array(repeating: 7, count: 32)),
            signCount: signCount)
    }

    private static func assertion(_ bench: Bench, _ id: UInt8) async throws -> AuthenticatorData {
        let list = [PublicKeyCredentialDescriptor(id: Array(repeating: id, count: 16))]
        return try await bench.get { $0.allowList = list }.got().data()
    }

    @Test("An imported credential signs with its key and has its own counter")
    func anImportedCredentialSigns() async throws {
        for mode in AuthenticatorConfiguration.CounterMode.allCases {
            let bench = Bench { $0.counterMode = mode }
            try await bench.device.importCredential(try Self.credential(1))
            try await bench.device.importCredential(try Self.credential(2, discoverable: false, signCount: nil))
            #expect(try await Self.assertion(bench, 1).signCount == 11)
            #expect(try await Self.assertion(bench, 1).signCount == 12)
            #expect(try await Self.assertion(bench, 2).signCount == 0)
            let kept = await bench.device.keptCredentials
            #expect(kept.map(\.signCount) == [12, 0])
            #expect(kept.map(\.isDiscoverable) == [true, false])
            let key = try COSE.PrivateKey(pkcs8Representation: try #require(kept.first).exportedPrivateKey)
            #expect(try key.publicKey == Self.credential(1).privateKey.publicKey)
        }
    }

    @Test("A device refuses a credential that it cannot keep, and changes nothing")
    func unsuitableCredentialsAreRefused() async throws {
        let never = Bench { $0.discoverability = .never }
        await #expect(throws: CredentialImportError.notDiscoverable) {
            try await never.device.importCredential(try Self.credential(1))
        }
        let bench = Bench {
            $0.algorithms = [.es256]
            $0.discoverableCapacity = 2
        }
        await #expect(throws: CredentialImportError.unsupportedAlgorithm) {
            try await bench.device.importCredential(try Self.credential(1, algorithm: .edDSA))
        }
        try await bench.device.importCredential(try Self.credential(1))
        await #expect(throws: CredentialImportError.exists) {
            try await bench.device.importCredential(try Self.credential(1, user: 2))
        }
        try await bench.device.importCredential(try Self.credential(2, user: 2))
        await #expect(throws: CredentialImportError.full) {
            try await bench.device.importCredential(try Self.credential(3, user: 3))
        }
        // The new credential replaces the account's earlier one.
        try await bench.device.importCredential(try Self.credential(4, user: 2))
        #expect(await bench.device.keptCredentials.map(\.id.first) == [1, 4])
    }

    @Test("The next assertion has the backup flags and the counter that were set")
    func backupFlagsAndCountersCanBeSet() async throws {
        let bench = Bench()
        try await bench.device.importCredential(try Self.credential(1))
        let id = Array(repeating: UInt8(1), count: 16)
        #expect(await bench.device.setBackup(isEligible: true, isBackedUp: true, credentialID: id))
        #expect(await bench.device.setSignCount(.max, credentialID: id))
        let data = try await Self.assertion(bench, 1)
        #expect(data.flags.isSuperset(of: [.backupEligible, .backupState]))
        // A counter stops at its maximum.
        #expect(data.signCount == .max)
        #expect(await bench.device.setBackup(isEligible: false, isBackedUp: nil, credentialID: id))
        #expect(try await Self.assertion(bench, 1).flags.isDisjoint(with: [.backupEligible, .backupState]))
        #expect(await !bench.device.setSignCount(1, credentialID: [9]))
        #expect(await !bench.device.setBackup(isEligible: true, isBackedUp: nil, credentialID: [9]))
    }

    @Test("A credential's own counter and flags survive a restart")
    func countersAndFlagsSurviveARestart() async throws {
        let storage = ModelStorage()
        let bench = Bench(storage: storage)
        try await bench.device.importCredential(try Self.credential(1))
        try await bench.device.importCredential(try Self.credential(2, user: 2, signCount: nil))
        _ = try await Self.assertion(bench, 1)
        let stored = try #require(storage.stored)
        let again = Bench()
        try await again.device.restore(stored)
        let kept = await again.device.keptCredentials
        #expect(kept.map(\.ownCounter) == [.perCredential, AuthenticatorConfiguration.CounterMode.none])
        #expect(try await Self.assertion(again, 1).signCount == 12)
        #expect(try await Self.assertion(again, 2).signCount == 0)
    }

    @Test("A device that keeps all credentials lists the non-discoverable ones", arguments: [false, true])
    func nonDiscoverableCredentialsCanBeKept(keepsAll: Bool) async throws {
        let bench = Bench { $0.keepsAllCredentials = keepsAll }
        let made = try await bench.make { $0.options["rk"] = false }.made()
        #expect(await bench.device.keptCredentials.count == (keepsAll ? 1 : 0))
        let list = [try made.descriptor()]
        #expect(try await bench.get { $0.allowList = list }.got().data().flags.contains(.userPresent))
    }
}
