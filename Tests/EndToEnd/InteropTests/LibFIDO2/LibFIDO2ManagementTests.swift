import CFIDO2
import CTAP
import DeviceProfiles
import SecurityKeys
import SimulatedDevice
import Testing
import VirtualAuthenticator

extension Interop {
    /// libfido2 in this process: the commands that manage a key, and its extensions.
    @Suite struct LibFIDO2ManagementTests {
        static let profile = "security-key-complete"
        static let pin = "123456"

        @Test func credentialsAreCountedListedRenamedAndDeleted() async throws {
            try await LibFIDO2Bench.with(Self.profile) { bench in
                let key = bench.key
                try await key.setPIN(Self.pin)
                await expect(FIDO_ERR_PIN_INVALID) { try await key.credentialCounts(pin: "000000") }
                await expect(FIDO_ERR_NO_CREDENTIALS) { try await key.relyingParties(pin: Self.pin) }
                var made: [String: LibFIDO2Credential] = [:]
                for (number, name) in ["ada", "bob", "eve"].enumerated() {
                    made[name] = try await key.makeCredential(
                        .init(
                            relyingPartyID: name == "eve" ? "example.net" : "example.com", userID: [UInt8(number)],
                            userName: name, isDiscoverable: true), pin: Self.pin)
                }
                let capacity = UInt64(bench.device.profile.authenticator.discoverableCapacity)
                #expect(try await key.credentialCounts(pin: Self.pin) == (3, capacity - 3))
                #expect(try await Set(key.relyingParties(pin: Self.pin)) == ["example.com", "example.net"])
                let listed = try await key.credentials(of: "example.com", pin: Self.pin)
                #expect(Set(listed.map(\.userName)) == ["ada", "bob"])
                for credential in listed {
                    let original = try #require(made[credential.userName])
                    #expect(credential.id == original.id)
                    #expect(credential.publicKey == original.publicKey)
                    #expect(credential.protection == FIDO_CRED_PROT_UV_OPTIONAL)
                    #expect(credential.largeBlobKey.isEmpty)
                }

                let ada = try #require(made["ada"]).id
                await expect(FIDO_ERR_INVALID_PARAMETER) {
                    try await key.rename(ada, userID: [9], to: "mallory", pin: Self.pin)
                }
                try await key.rename(ada, userID: [0], to: "lovelace", pin: Self.pin)
                #expect(
                    try await Set(key.credentials(of: "example.com", pin: Self.pin).map(\.userName))
                        == ["lovelace", "bob"])
                try await key.deleteCredential(ada, pin: Self.pin)
                await expect(FIDO_ERR_NO_CREDENTIALS) { try await key.deleteCredential(ada, pin: Self.pin) }
                #expect(try await key.credentials(of: "example.com", pin: Self.pin).map(\.userName) == ["bob"])
                #expect(try await key.credentialCounts(pin: Self.pin) == (2, capacity - 2))
            }
        }

        @Test func fingersAreEnrolledNamedAndRemoved() async throws {
            try await LibFIDO2Bench.with(Self.profile) { bench in
                let key = bench.key
                try await key.setPIN(Self.pin)
                #expect(try await key.sensorInfo() == (1, 4))
                await expect(FIDO_ERR_INVALID_OPTION) { try await key.fingers(pin: Self.pin) }

                let spoilt: [EnrollSampleStatus] = [.tooLow, .mergeFailure, .exists, .tooSkewed]
                for status in spoilt { await bench.person.tell(.sample(status)) }
                let thumb = try await key.enrolFinger(pin: Self.pin)
                #expect(thumb.statuses == spoilt.map { UInt8($0.rawValue) } + [0, 0, 0, 0])
                try await key.nameFinger(thumb.id, "thumb", pin: Self.pin)
                #expect(try await key.fingers(pin: Self.pin) == [thumb.id: "thumb"])
                #expect(try await key.info().options["uv"] == true)

                // An enrolment cancelled before the last sample stores no template.
                _ = try await key.enrolFinger(pin: Self.pin, limit: 2)
                #expect(try await key.fingers(pin: Self.pin) == [thumb.id: "thumb"])
                await expect(FIDO_ERR_INVALID_OPTION) { try await key.removeFinger([1, 2, 3], pin: Self.pin) }
                try await key.removeFinger(thumb.id, pin: Self.pin)
                await expect(FIDO_ERR_INVALID_OPTION) { try await key.fingers(pin: Self.pin) }
            }
        }

        @Test func largeBlobsAreStoredAndDeleted() async throws {
            try await LibFIDO2Bench.with(Self.profile) { bench in
                let key = bench.key
                try await key.setPIN(Self.pin)
                #expect(try await key.largeBlobArray() == [0x80])
                let made = try await key.makeCredential(extensions: FIDO_EXT_LARGEBLOB_KEY, pin: Self.pin)
                #expect(made.largeBlobKey.count == 32)
                await expect(FIDO_ERR_NOTFOUND) { try await key.largeBlob(made.largeBlobKey) }
                // Bytes that do not compress; libfido2 does not encrypt data shorter than a block.
                var generator = SystemRandomNumberGenerator()
                let blob = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &generator) }
                await expect(FIDO_ERR_PIN_INVALID) {
                    try await key.setLargeBlob(blob, key: made.largeBlobKey, pin: "000000")
                }
                try await key.setLargeBlob(blob, key: made.largeBlobKey, pin: Self.pin)
                try await key.setLargeBlob(Array(0..<32), key: [UInt8](repeating: 5, count: 32), pin: Self.pin)
                let used = try await key.getAssertion(made.id, extensions: FIDO_EXT_LARGEBLOB_KEY, pin: Self.pin)
                #expect(used.largeBlobKey == made.largeBlobKey)
                #expect(try await key.largeBlob(used.largeBlobKey) == blob)
                let tooMuch = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &generator) }
                await expect(FIDO_ERR_LARGEBLOB_STORAGE_FULL) {
                    try await key.setLargeBlob(tooMuch, key: made.largeBlobKey, pin: Self.pin)
                }
                #expect(try await key.largeBlob(made.largeBlobKey) == blob)
                try await key.removeLargeBlob(made.largeBlobKey, pin: Self.pin)
                await expect(FIDO_ERR_NOTFOUND) { try await key.largeBlob(made.largeBlobKey) }
                #expect(try await key.largeBlob([UInt8](repeating: 5, count: 32)) == Array(0..<32))
            }
        }

        @Test func theKeyIsConfigured() async throws {
            try await LibFIDO2Bench.with(Self.profile) { bench in
                let key = bench.key
                // Without a PIN and a finger the key is configured without verification.
                try await key.toggleAlwaysUV(pin: nil)
                #expect(try await key.info().options["alwaysUv"] == true)
                try await key.toggleAlwaysUV(pin: nil)
                #expect(try await key.info().options["alwaysUv"] == false)
                try await key.setPIN(Self.pin)

                try await key.enableEnterpriseAttestation(pin: Self.pin)
                #expect(try await key.info().options["ep"] == true)
                await expect(FIDO_ERR_PIN_POLICY_VIOLATION) { try await key.setMinimumPINLength(3, pin: Self.pin) }
                try await key.setMinimumPINLength(6, pin: Self.pin)
                #expect(try await key.info().minPINLength == 6)
                try await key.tellMinimumPINLength(to: "example.com", pin: Self.pin)
                let made = try await key.makeCredential(
                    extensions: FIDO_EXT_MINPINLEN, minimumPINLength: 6, pin: Self.pin)
                #expect(made.minimumPINLength == 6)
                try await key.forcePINChange(pin: Self.pin)
                await expect(FIDO_ERR_PIN_POLICY_VIOLATION) { try await key.credentialCounts(pin: Self.pin) }
                try await key.setPIN("654321", old: Self.pin)
                #expect(try await key.credentialCounts(pin: "654321").existing == 1)
            }
        }

        @Test func extensionsReturnTheirResults() async throws {
            try await LibFIDO2Bench.with(Self.profile) { bench in
                let key = bench.key
                let salts = (0..<64).map { UInt8($0) }
                let extensions = FIDO_EXT_HMAC_SECRET | FIDO_EXT_CRED_PROTECT | FIDO_EXT_CRED_BLOB
                let made = try await key.makeCredential(
                    extensions: extensions, protection: FIDO_CRED_PROT_UV_OPTIONAL_WITH_ID, blob: [1, 2, 3], pin: nil)
                #expect(made.protection == FIDO_CRED_PROT_UV_OPTIONAL_WITH_ID)
                let unverified = try await key.getAssertion(
                    made.id, extensions: FIDO_EXT_HMAC_SECRET | FIDO_EXT_CRED_BLOB, salts: salts, pin: nil)
                #expect(unverified.secrets.count == 64)
                #expect(unverified.blob == [1, 2, 3])
                let first = try await key.getAssertion(
                    made.id, extensions: FIDO_EXT_HMAC_SECRET, salts: Array(salts.prefix(32)), pin: nil)
                #expect(first.secrets == Array(unverified.secrets.prefix(32)))

                try await key.setPIN(Self.pin)
                let verified = try await key.getAssertion(
                    made.id, extensions: FIDO_EXT_HMAC_SECRET, salts: salts, pin: Self.pin)
                #expect(verified.secrets.count == 64)
                #expect(verified.secrets != unverified.secrets)
                let again = try await key.getAssertion(
                    made.id, extensions: FIDO_EXT_HMAC_SECRET, salts: salts, pin: Self.pin)
                #expect(again.secrets == verified.secrets)

                let strict = try await key.makeCredential(
                    extensions: FIDO_EXT_CRED_PROTECT, protection: FIDO_CRED_PROT_UV_REQUIRED, userID: [8],
                    pin: Self.pin)
                await expect(FIDO_ERR_NO_CREDENTIALS) { try await key.getAssertion(strict.id, extensions: 0, pin: nil) }
                _ = try await key.getAssertion(strict.id, extensions: 0, pin: Self.pin)
            }
        }
    }
}
