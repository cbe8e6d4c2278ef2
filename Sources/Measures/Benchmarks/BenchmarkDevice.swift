internal import Attestation
internal import CBOR
internal import COSE
internal import CTAP
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

/// A plain security key with a user who consents.
struct BenchmarkDevice: Sendable {
    let authenticator: VirtualAuthenticator
    let client: AuthenticatorClient

    init(
        attestation: [AttestationKind] = [],
        counterMode: AuthenticatorConfiguration.CounterMode = .global, capacity: Int = 50, hasPIN: Bool = false,
        storage: (any AuthenticatorStorage)? = nil
    ) {
        var configuration = AuthenticatorConfiguration()
        configuration.attestation = attestation
        configuration.counterMode = counterMode
        configuration.discoverableCapacity = capacity
        configuration.supportsClientPIN = hasPIN
        configuration.management.supportsCredentialManagement = hasPIN
        authenticator = VirtualAuthenticator(
            configuration: configuration,
            environment: Environment(
                time: SimulatedClock(), random: SystemRandomSource(), user: ConsentingUser(), storage: storage))
        client = AuthenticatorClient(authenticator)
    }

    /// Sends one message, which must succeed.
    func send(_ message: [UInt8]) async throws {
        let answer = await authenticator.transceive(message, onKeepalive: { _ in })
        guard answer.first == 0 else { throw BenchmarkFailure(description: "refused: \(answer)") }
    }

    static let clientDataHash = [UInt8](repeating: 1, count: 32)

    static func registration(
        user: [UInt8], at relyingPartyID: String, isDiscoverable: Bool = true
    ) -> MakeCredentialRequest {
        MakeCredentialRequest(
            clientDataHash: clientDataHash, rp: PublicKeyCredentialRPEntity(id: relyingPartyID),
            user: PublicKeyCredentialUserEntity(id: user),
            pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .es256)], options: ["rk": isDiscoverable])
    }

    /// Makes a discoverable credential and returns an assertion request for it.
    func register(user: [UInt8] = [1], at relyingPartyID: String = "example.org") async throws -> GetAssertionRequest {
        _ = try await client.makeCredential(Self.registration(user: user, at: relyingPartyID))
        return GetAssertionRequest(relyingPartyID: relyingPartyID, clientDataHash: Self.clientDataHash)
    }

    /// Makes a credential sealed in its ID and returns an assertion request for it.
    func registerSealed(at relyingPartyID: String = "example.org") async throws -> GetAssertionRequest {
        let response = try await client.makeCredential(
            Self.registration(user: [2], at: relyingPartyID, isDiscoverable: false))
        let data = try AuthenticatorData(parsing: response.authenticatorData)
        var request = GetAssertionRequest(relyingPartyID: relyingPartyID, clientDataHash: Self.clientDataHash)
        guard let id = data.attestedCredentialData?.credentialID else {
            throw BenchmarkFailure(description: "the new credential has no ID")
        }
        request.allowList = [PublicKeyCredentialDescriptor(id: id)]
        return request
    }

    /// Fills the device with discoverable credentials.
    func fill(_ count: Int, relyingPartyID: (Int) -> String) async throws {
        for number in 0..<count {
            let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
            try await authenticator.importCredential(
                ImportedCredential(
                    id: bytes + bytes, isDiscoverable: true, relyingPartyID: relyingPartyID(number),
                    user: PublicKeyCredentialUserEntity(id: bytes),
                    privateKey: try COSE.PrivateKey.generate(.es256, randomBytes: SystemRandomSource().bytes),
                    signCount: 0))
        }
    }

    /// A client of the device that may manage its credentials.
    func credentialManagement() async throws -> CredentialManagementClient {
        let pin = PINClient(client, protocol: .two, randomBytes: SystemRandomSource().bytes)
        try await pin.setPIN("123456")
        return CredentialManagementClient(
            client, token: try await pin.token(pin: "123456", permissions: .credentialManagement))
    }

    /// A browser that uses a device.
    static func browser(_ device: any CTAPDevice) -> WebAuthnClient {
        WebAuthnClient(
            device: device, attachment: .crossPlatform,
            environment: ClientEnvironment(randomBytes: SystemRandomSource().bytes, now: SimulatedClock().now))
    }
}

extension MakeCredentialRequest {
    /// The command byte and the CBOR parameters.
    var message: [UInt8] { [CTAPCommand.makeCredential.rawValue] + CBOR.encode(cbor) }
}

extension GetAssertionRequest {
    /// The command byte and the CBOR parameters.
    var message: [UInt8] { [CTAPCommand.getAssertion.rawValue] + CBOR.encode(cbor) }
}
