import CFIDO2
import DeviceProfiles
import SecurityKeys
import SimulatedDevice
import Testing
import VirtualAuthenticator
import WebAuthn

extension Interop {
    /// libfido2 in this process: credentials and assertions, which it verifies itself.
    @Suite struct LibFIDO2CredentialTests {
        /// One kind of credential and one way of user verification.
        struct Case: CustomTestStringConvertible, Sendable {
            let algorithm: Int32
            let isDiscoverable: Bool
            /// The PIN; nil where the device verifies the user itself.
            let pin: String?

            var testDescription: String {
                "\(algorithm), \(isDiscoverable ? "rk" : "no rk"), \(pin == nil ? "built-in" : "PIN")"
            }

            static let all = [COSE_ES256, COSE_EDDSA, COSE_ES384].flatMap { algorithm in
                [true, false].flatMap { rk in
                    ["1234", nil].map { Case(algorithm: algorithm, isDiscoverable: rk, pin: $0) }
                }
            }
        }

        @Test(arguments: Case.all)
        func libFIDO2VerifiesTheDevicesSignatures(test: Case) async throws {
            try await LibFIDO2Bench.with("security-key-bio") { bench in
                if let pin = test.pin { try await bench.key.setPIN(pin) }
                let uv = test.pin == nil ? FIDO_OPT_TRUE : FIDO_OPT_OMIT
                let verified = UInt8(CTAP_AUTHDATA_USER_PRESENT | CTAP_AUTHDATA_USER_VERIFIED)

                let credential = try await bench.key.makeCredential(
                    .init(algorithm: test.algorithm, isDiscoverable: test.isDiscoverable, uv: uv), pin: test.pin)
                #expect(credential.format == "packed")
                #expect(credential.algorithm == test.algorithm)
                #expect(credential.aaguid == bench.device.profile.authenticator.aaguid.bytes)
                #expect(credential.flags == verified | UInt8(CTAP_AUTHDATA_ATT_CRED))
                try credential.verifySelfAttestation()
                // Verification with a certificate fails, because the statement has no certificate.
                #expect(credential.certificate.isEmpty)
                #expect(throws: LibFIDO2Error(FIDO_ERR_INVALID_ARGUMENT)) {
                    try credential.verifyCertifiedAttestation()
                }

                for allowed in [[credential.id]] + (test.isDiscoverable ? [[]] : []) {
                    let assertions = try await bench.key.getAssertions(.init(allowed: allowed, uv: uv), pin: test.pin)
                    let assertion = try #require(assertions.first)
                    #expect(assertions.count == 1)
                    #expect(assertion.credentialID == credential.id)
                    #expect(assertion.flags == verified)
                    #expect(assertion.signCount > credential.signCount)
                    #expect(assertion.userID == (test.isDiscoverable ? [1, 2, 3] : []))
                    try assertion.verify(by: credential)
                }
            }
        }

        @Test(arguments: [COSE_ES256, COSE_EDDSA, COSE_ES384])
        func libFIDO2RefusesChangedResponses(algorithm: Int32) async throws {
            try await LibFIDO2Bench.with("security-key-pin") { bench in
                let credential = try await bench.key.makeCredential(.init(algorithm: algorithm, isDiscoverable: true))
                let assertion = try #require(try await bench.key.getAssertions(.init()).first)
                let other = try await bench.key.makeCredential(.init(userID: [9], algorithm: algorithm))
                // A CBOR header of two bytes, 32 bytes of RP ID hash, a byte of flags: then the counter.
                let counter = 2 + 32 + 1

                var forged = credential
                forged.signature[forged.signature.count - 1] ^= 1
                #expect(throws: LibFIDO2Error(FIDO_ERR_INVALID_SIG)) { try forged.verifySelfAttestation() }
                forged = credential
                forged.authenticatorData[counter] ^= 1
                #expect(throws: LibFIDO2Error(FIDO_ERR_INVALID_SIG)) { try forged.verifySelfAttestation() }

                var signed = assertion
                signed.signature[signed.signature.count - 1] ^= 1
                #expect(throws: LibFIDO2Error(FIDO_ERR_INVALID_SIG)) { try signed.verify(by: credential) }
                signed = assertion
                signed.authenticatorData[counter] ^= 1
                #expect(throws: LibFIDO2Error(FIDO_ERR_INVALID_SIG)) { try signed.verify(by: credential) }
                #expect(throws: LibFIDO2Error(FIDO_ERR_INVALID_SIG)) { try assertion.verify(by: other) }
                try assertion.verify(by: credential)
            }
        }

        @Test func aSyncedPasskeyComesWithoutAttestation() async throws {
            try await LibFIDO2Bench.with("iphone-face-id") { bench in
                let credential = try await bench.key.makeCredential(.init(isDiscoverable: true, uv: FIDO_OPT_TRUE))
                #expect(credential.format == "none")
                #expect(credential.signature.isEmpty)
                #expect(credential.flags == 0x5D)
                let assertions = try await bench.key.getAssertions(.init(uv: FIDO_OPT_TRUE))
                let assertion = try #require(assertions.first)
                #expect(assertion.flags == 0x1D)
                #expect(assertion.signCount == 0)
                try assertion.verify(by: credential)
            }
        }

        @Test func severalAccountsAreReturnedNewestFirst() async throws {
            try await LibFIDO2Bench.with("security-key-pin") { bench in
                try await bench.key.setPIN("1234")
                var credentials: [LibFIDO2Credential] = []
                for (id, name) in [(1, "alice"), (2, "bob"), (3, "carol")] as [(UInt8, String)] {
                    credentials.append(
                        try await bench.key.makeCredential(
                            .init(userID: [id], userName: name, isDiscoverable: true), pin: "1234"))
                }
                let named = try await bench.key.getAssertions(.init(), pin: "1234")
                #expect(named.map(\.userName) == ["carol", "bob", "alice"])
                for (assertion, credential) in zip(named, credentials.reversed()) {
                    #expect(assertion.credentialID == credential.id)
                    try assertion.verify(by: credential)
                }
                // Only a verified user gets the names.
                let unnamed = try await bench.key.getAssertions(.init())
                #expect(unnamed.map(\.userID) == [[3], [2], [1]])
                #expect(unnamed.map(\.userName) == [nil, nil, nil])
            }
        }

        @Test func aKnownDeviceIsExcluded() async throws {
            try await LibFIDO2Bench.with("security-key-pin") { bench in
                for isDiscoverable in [true, false] {
                    let known = try await bench.key.makeCredential(.init(isDiscoverable: isDiscoverable))
                    await expect(FIDO_ERR_CREDENTIAL_EXCLUDED) {
                        try await bench.key.makeCredential(.init(excluded: [known.id]))
                    }
                    _ = try await bench.key.makeCredential(
                        .init(relyingPartyID: "elsewhere.example", excluded: [known.id]))
                    await expect(FIDO_ERR_NO_CREDENTIALS) {
                        try await bench.key.getAssertions(
                            .init(relyingPartyID: "third.example", allowed: [known.id]))
                    }
                }
            }
        }
    }
}
