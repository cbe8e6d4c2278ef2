import CTAP
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn
import WebAuthnClient

extension Interop {
    /// One device, two clients: each reads the data that the other one stores.
    @Suite struct SharedExtensionTests {
        private struct Summary: Decodable {
            let credential: String
            let prf: [String]
        }

        private static let pin = "271828"
        private static let values = PRFValues(first: Array("one".utf8), second: Array("two".utf8))
        private static let origin = Origin.app(facet: "https://example.com", associatedDomains: ["example.com"])
        /// Longer than a fragment, and compressible.
        private static let blob = (0..<2500).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) }

        private func client(_ served: ServedDevice) -> WebAuthnClient {
            let random = SystemRandomSource()
            let clock = served.clock
            var environment = ClientEnvironment(randomBytes: random.bytes, now: clock.now)
            environment.enterPIN = { _ in .pin(Self.pin) }
            return WebAuthnClient(
                device: served.device.authenticator, attachment: .crossPlatform, environment: environment)
        }

        private func setPIN(_ served: ServedDevice) async throws {
            let random = SystemRandomSource()
            let client = AuthenticatorClient(served.device.authenticator)
            try await PINClient(client, protocol: .two, randomBytes: random.bytes).setPIN(Self.pin)
        }

        private func signIn(
            _ served: ServedDevice, _ credential: [UInt8], _ extensions: ClientExtensionInputs
        ) async throws -> ClientExtensionResults {
            try await client(served).get(
                RequestOptions(
                    challenge: [1, 2, 3], rpId: "example.com", allowCredentials: [CredentialDescriptor(id: credential)],
                    userVerification: .required, extensions: extensions),
                origin: Self.origin
            ).clientExtensionResults
        }

        private func hex(_ results: PRFValues?) -> [String]? {
            results.map { [$0.first.bytes.hex, $0.second?.bytes.hex ?? ""] }
        }

        @Test(arguments: [1, 2])
        func theBenchClientReadsPythonsData(pinUvAuthProtocol: Int) async throws {
            try await ServedDevice.with("security-key-complete") { served in
                try await setPIN(served)
                let theirs = try await Script.run(
                    "shared_extensions", port: served.port,
                    [
                        "act": "register", "protocol": .number(pinUvAuthProtocol), "blob": .text(Self.blob.hex),
                    ], as: Summary.self)
                let credential = [UInt8](hex: theirs.credential)
                let read = try await signIn(
                    served, credential, ClientExtensionInputs(largeBlob: LargeBlobInputs(read: true)))
                #expect(read.largeBlob == LargeBlobOutputs(blob: Self.blob))
                let prf = try await signIn(
                    served, credential, ClientExtensionInputs(prf: PRFInputs(eval: Self.values)))
                #expect(hex(prf.prf?.results) == theirs.prf)
            }
        }

        @Test(arguments: [1, 2])
        func pythonReadsTheBenchClientsData(pinUvAuthProtocol: Int) async throws {
            try await ServedDevice.with("security-key-complete") { served in
                try await setPIN(served)
                let options = CreationOptions(
                    rp: RelyingPartyEntity(id: "example.com", name: "Example"),
                    user: UserEntity(id: [7], name: "ada", displayName: "Ada"), challenge: [1, 2, 3],
                    pubKeyCredParams: [CredentialParameters(alg: -7)],
                    authenticatorSelection: AuthenticatorSelection(
                        residentKey: .required, userVerification: .required),
                    extensions: ClientExtensionInputs(
                        prf: PRFInputs(eval: Self.values), largeBlob: LargeBlobInputs(support: .required)))
                let made = try await client(served).create(options, origin: Self.origin)
                let credential = made.rawId.bytes
                let written = try await signIn(
                    served, credential, ClientExtensionInputs(largeBlob: LargeBlobInputs(write: Self.blob)))
                #expect(written.largeBlob == LargeBlobOutputs(written: true))
                let theirs = try await Script.run(
                    "shared_extensions", port: served.port,
                    [
                        "act": "read", "protocol": .number(pinUvAuthProtocol), "blob": .text(Self.blob.hex),
                        "credential": .text(credential.hex),
                    ], as: Summary.self)
                #expect(hex(made.clientExtensionResults.prf?.results) == theirs.prf)
            }
        }
    }
}
