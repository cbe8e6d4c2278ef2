import CBOR
import CTAP
import Crypto
import Testing
import VirtualAuthenticator
import WebAuthn
import WebAuthnClient

/// The commands that manage a device, through their clients (CTAP 2.3 §6.7, §6.8, §6.11).
struct ManagementTests {
    private static let rpIDHash = Array(SHA256.hash(data: Array(VirtualBench.relyingPartyID.utf8)))

    private func token(
        _ bench: VirtualBench, _ permission: PINUVAuthTokenPermissions, _ pinProtocol: PINUVAuthProtocol = .two
    ) async throws -> PINClient.Token {
        try await bench.pins(pinProtocol).token(pin: VirtualBench.pin, permissions: permission)
    }

    // MARK: Credentials

    @Test(arguments: PINUVAuthProtocol.allCases, [false, true])
    func credentialsAreListedChangedAndDeleted(_ pinProtocol: PINUVAuthProtocol, preview: Bool) async throws {
        let bench = try await VirtualBench()
        func manager() async throws -> CredentialManagementClient {
            CredentialManagementClient(
                bench.ctap, token: try await token(bench, .credentialManagement, pinProtocol), usesPreview: preview)
        }
        #expect(try await manager().relyingParties().isEmpty)
        #expect(try await manager().credentials(ofRPIDHash: Self.rpIDHash).isEmpty)
        let extensions = ClientExtensionInputs(
            largeBlob: LargeBlobInputs(), credentialProtectionPolicy: .userVerificationRequired,
            payment: PaymentInputs(isPayment: true))
        let first = try await bench.create(extensions).credentialID
        let second = try await bench.create(user: [2]).credentialID

        let metadata = try await manager().metadata()
        #expect(metadata.existing == 2)
        #expect(metadata.remaining == 98)
        let parties = try await manager().relyingParties()
        #expect(parties.map(\.entity?.id) == [VirtualBench.relyingPartyID])
        #expect(parties.map(\.idHash) == [Self.rpIDHash])
        let credentials = try await manager().credentials(ofRPIDHash: Self.rpIDHash)
        #expect(Set(credentials.map(\.descriptor.id)) == [first, second])
        let special = try #require(credentials.first { $0.descriptor.id == first })
        #expect(special.user.id == [1])
        #expect(special.protection == 3)
        #expect(special.largeBlobKey?.count == 32)
        #expect(special.allowsThirdPartyPayment == true)
        #expect(special.publicKey != nil)

        try await manager().update(special.descriptor, user: .init(id: [1], name: "countess", displayName: "Lovelace"))
        try await manager().delete(.init(id: second))
        let left = try await manager().credentials(ofRPIDHash: Self.rpIDHash)
        #expect(left.map(\.user.name) == ["countess"])
    }

    @Test func severalRelyingPartiesAreEnumerated() async throws {
        let bench = try await VirtualBench()
        for name in ["a.example", "b.example", "c.example"] {
            let origin = Origin.app(facet: "https://\(name)", associatedDomains: [name])
            var options = CreationOptions.test(userVerification: .required, residentKey: .required)
            options.rp.id = name
            _ = try await bench.client.create(options, origin: origin)
        }
        let manager = CredentialManagementClient(bench.ctap, token: try await token(bench, .credentialManagement))
        #expect(
            try await Set(manager.relyingParties().map(\.entity?.id)) == ["a.example", "b.example", "c.example"])
    }

    @Test func aTokenWithoutThePermissionManagesNothing() async throws {
        let bench = try await VirtualBench()
        let manager = CredentialManagementClient(bench.ctap, token: try await token(bench, .largeBlobWrite))
        await #expect(throws: AuthenticatorClient.Failure.refused(.credentialManagement, .pinAuthInvalid)) {
            try await manager.relyingParties()
        }
    }

    // MARK: Fingers

    @Test(arguments: PINUVAuthProtocol.allCases, [false, true])
    func fingersAreEnrolledNamedAndRemoved(_ pinProtocol: PINUVAuthProtocol, preview: Bool) async throws {
        let bench = try await VirtualBench(finger: true)
        func fingers() async throws -> BioEnrollmentClient {
            BioEnrollmentClient(
                bench.ctap, token: try await token(bench, .bioEnrollment, pinProtocol), usesPreview: preview)
        }
        let info = try await BioEnrollmentClient(bench.ctap, usesPreview: preview).sensorInfo()
        #expect(info.kind == .touch)
        #expect(info.maximumSamples == 4)
        #expect(info.maximumNameLength == 64)

        bench.touches.willEnrol([.good, .tooFast, .good])
        var samples: [BioEnrollmentClient.Sample] = []
        let enrolled = try await fingers().enroll(timeoutMilliseconds: 10_000) {
            samples.append($0)
            return true
        }
        let id = try #require(enrolled)
        #expect(samples.map(\.status) == [.good, .tooFast, .good, .good, .good])
        #expect(samples.map(\.remaining) == [3, 3, 2, 1, 0])
        #expect(samples.allSatisfy { $0.templateID == id })

        try await fingers().rename(id, to: "index")
        #expect(try await fingers().enrollments().map(\.friendlyName) == ["thumb", "index"])
        for finger in try await fingers().enrollments() { try await fingers().remove(finger.id) }
        #expect(try await fingers().enrollments().isEmpty)
    }

    @Test func anEnrolmentCanBeCancelled() async throws {
        let bench = try await VirtualBench(finger: true)
        let fingers = BioEnrollmentClient(bench.ctap, token: try await token(bench, .bioEnrollment))
        var seen = 0
        let enrolled = try await fingers.enroll { _ in
            seen += 1
            return seen < 2
        }
        #expect(enrolled == nil)
        #expect(seen == 2)
        #expect(try await fingers.enrollments().map(\.friendlyName) == ["thumb"])
    }

    // MARK: Settings

    @Test(arguments: PINUVAuthProtocol.allCases)
    func settingsAreChanged(_ pinProtocol: PINUVAuthProtocol) async throws {
        let bench = try await VirtualBench()
        func config() async throws -> AuthenticatorConfigClient {
            AuthenticatorConfigClient(
                bench.ctap, token: try await token(bench, .authenticatorConfiguration, pinProtocol))
        }
        try await config().enableEnterpriseAttestation()
        try await config().toggleAlwaysUV()
        try await config().enableLongTouchForReset()
        try await config().setMinPINLength(6, relyingPartyIDs: [VirtualBench.relyingPartyID])
        var info = try await bench.ctap.getInfo()
        #expect(info.option("ep") == true)
        #expect(info.option("alwaysUv") == true)
        #expect(info.longTouchForReset == true)
        #expect(info.minPINLength == 6)
        let response = try await bench.create(ClientExtensionInputs(minPinLength: true))
        #expect(try response.outputs == ["minPinLength": 6])
        try await config().setMinPINLength(forcesChange: true, demandsComplexity: true)
        info = try await bench.ctap.getInfo()
        #expect(info.forcePINChange == true)
        #expect(info.pinComplexityPolicy == true)
    }

    @Test func aProtectedDeviceDemandsAToken() async throws {
        let bench = try await VirtualBench()
        await #expect(throws: AuthenticatorClient.Failure.refused(.config, .puatRequired)) {
            try await AuthenticatorConfigClient(bench.ctap).enableEnterpriseAttestation()
        }
    }
}
