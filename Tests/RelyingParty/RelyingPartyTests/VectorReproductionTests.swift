import Attestation
import Biometrics
import COSE
import CTAP
import SampleGates
import Synchronization
import Testing
import VirtualAuthenticator
import WebAuthn
import WebAuthnClient

/// The specification's test vectors, made anew from their private keys by authenticator and client (WebAuthn L3 §16).
@Suite("Reproduction of the vectors") struct VectorReproductionTests {
    /// Random bytes, except that the next draw of one length is known.
    private final class Chance: RandomSource {
        private let others = SeededRandomSource(seed: 1)
        private let expected = Mutex<[UInt8]?>(nil)

        func expect(_ bytes: [UInt8]) { expected.withLock { $0 = bytes } }

        func bytes(_ count: Int) -> [UInt8] {
            let known = expected.withLock { next -> [UInt8]? in
                guard let bytes = next, bytes.count == count else { return nil }
                next = nil
                return bytes
            }
            return known ?? others.bytes(count)
        }
    }

    private static let kinds: [String: AttestationKind] = [
        "none": .none, "fido-u2f": .fidoU2F, "tpm": .tpm, "android-key": .androidKey, "apple": .apple,
    ]

    /// The contents of the vectors' certificates.
    private static var vendor: AttestationVendor {
        var vendor = AttestationVendor()
        vendor.commonName = "WebAuthn test vectors"
        vendor.rootCommonName = nil
        vendor.organization = "W3C"
        vendor.country = "AA"
        // 1 January 2024 and 1 January 3024.
        vendor.validFrom = .seconds(1_704_067_200)
        vendor.validUntil = .seconds(33_260_976_000)
        vendor.namesModel = false
        vendor.namesModelInU2F = true
        vendor.tpmManufacturer = "id:00000000"
        vendor.tpmVersion = "id:00000000"
        vendor.tpmModel = "WebAuthn test vectors"
        // Its last byte is not a Boolean, which strict readers of TPM structures refuse.
        vendor.tpmClock =
            [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0x11, count: 4) + [UInt8](repeating: 0x22, count: 4)
            + [0x33]
        vendor.describesAndroidKeys = false
        vendor.sendsAndroidPath = false
        return vendor
    }

    private static func authority() throws -> AttestationAuthority {
        try AttestationAuthority(
            rootKey: COSE.PrivateKey(algorithm: .es256, rawRepresentation: VectorFile.rootKey()),
            rootSerialNumber: VectorFile.rootSerialNumber(), vendor: vendor)
    }

    @Test func theRootCertificate() throws {
        #expect(try Self.authority().rootCertificate == VectorFile.rootCertificate())
    }

    @Test("A registration and a sign-in, bit for bit", arguments: Vector.supported)
    func aRegistrationAndASignIn(name: String) async throws {
        let vector = try Vector.named(name)
        let object = try AttestationObject(parsing: vector.registration.bytes("attestationObject"))
        let registered = try AuthenticatorData(parsing: object.authenticatorData)
        let attested = try #require(registered.attestedCredentialData)
        let signedIn = try AuthenticatorData(parsing: vector.authentication.bytes("authenticatorData"))
        let key = try vector.credentialKey(COSE.PublicKey(cbor: attested.credentialPublicKey).algorithm)

        var configuration = AuthenticatorConfiguration()
        configuration.aaguid = attested.aaguid
        configuration.algorithms = [key.algorithm]
        configuration.supportsPinUvAuthToken = false
        configuration.counterMode = .none
        configuration.credentialIDLength = attested.credentialID.count
        configuration.maxCredentialIDLength = attested.credentialID.count
        configuration.maxMsgSize = 4096
        configuration.isBackupEligible = registered.flags.contains(.backupEligible)
        configuration.isBackedUp = registered.flags.contains(.backupState)
        configuration.attestation = [
            Self.kinds[object.format]
                ?? (vector.registration.members["attestation_private_key"] == nil ? .packed : .packedBasic)
        ]
        let chance = Chance()
        let clock = SimulatedClock()
        var environment = Environment(
            time: clock, random: chance, user: ScriptedUser(clock: clock), signing: .deterministic)
        environment.newKey = { _ in key }
        environment.attestation = try Self.maker(vector, model: attested.aaguid)
        let gate = UserVerificationGate(
            policy: try .securityKeyFingerprint(maxUVRetries: 3, internalRetries: 1),
            sensor: BiometricSensor(modality: .fingerprint), deviceCredential: nil)
        let device = VirtualAuthenticator(configuration: configuration, environment: environment, gate: gate)
        if registered.flags.contains(.userVerified) { try await Self.enrol(device) }

        chance.expect(attested.credentialID)
        let created = try await Self.client(device, vector.registration).create(
            CreationOptions(
                rp: RelyingPartyEntity(id: "example.org", name: "Example"),
                user: UserEntity(id: [1], name: "ada", displayName: "Ada"),
                challenge: vector.registration.bytes("challenge"),
                pubKeyCredParams: [CredentialParameters(alg: key.algorithm.rawValue)],
                authenticatorSelection: AuthenticatorSelection(
                    residentKey: .required,
                    userVerification: registered.flags.contains(.userVerified) ? .required : .discouraged),
                attestation: .direct),
            origin: Origin(parsing: "https://example.org"), topOrigin: Self.topOrigin(vector.registration))
        #expect(try created.response.clientDataJSON.bytes == vector.registration.bytes("clientDataJSON"))
        #expect(try created.response.attestationObject.bytes == vector.registration.bytes("attestationObject"))

        let isVerified = signedIn.flags.contains(.userVerified)
        if isVerified, !registered.flags.contains(.userVerified) { try await Self.enrol(device) }
        await device.setBackup(
            isEligible: nil, isBackedUp: signedIn.flags.contains(.backupState), credentialID: attested.credentialID)
        let got = try await Self.client(device, vector.authentication).get(
            RequestOptions(
                challenge: vector.authentication.bytes("challenge"), rpId: "example.org",
                allowCredentials: [CredentialDescriptor(id: attested.credentialID)],
                userVerification: isVerified ? .required : .discouraged),
            origin: Origin(parsing: "https://example.org"), topOrigin: Self.topOrigin(vector.authentication))
        #expect(try got.response.clientDataJSON.bytes == vector.authentication.bytes("clientDataJSON"))
        #expect(try got.response.authenticatorData.bytes == vector.authentication.bytes("authenticatorData"))
        #expect(try got.response.signature.bytes == vector.authentication.bytes("signature"))
    }

    private static func maker(_ vector: Vector, model: AAGUID) throws -> AttestationMaker {
        let members = vector.registration.members
        let key =
            try members["attestation_private_key"] == nil
            ? nil
            : COSE.PrivateKey(
                algorithm: .es256, rawRepresentation: vector.registration.bytes("attestation_private_key"))
        let serialNumber =
            try members["attestation_cert_serial_number"] == nil
            ? nil : vector.registration.bytes("attestation_cert_serial_number")
        return try AttestationMaker(
            authority: authority(), model: model, signing: .deterministic, attestationKey: key,
            serialNumber: serialNumber)
    }

    private static func enrol(_ device: VirtualAuthenticator) async throws {
        _ = try await device.changeGate { gate, now throws(GateError) in
            try gate.enrol(BiometricTemplate(id: [1], name: "thumb"), at: now)
        }
    }

    private static func topOrigin(_ ceremony: Vector.Ceremony) throws -> Origin? {
        let data = try CollectedClientData(parsing: ceremony.bytes("clientDataJSON"))
        return data.crossOrigin == true ? try Origin(parsing: data.topOrigin ?? "https://example.com") : nil
    }

    /// A client whose client data for that ceremony equals the vector's.
    private static func client(
        _ device: VirtualAuthenticator, _ ceremony: Vector.Ceremony
    ) throws -> WebAuthnClient {
        var environment = ClientEnvironment(
            randomBytes: SeededRandomSource(seed: 2).bytes, now: SimulatedClock().now)
        environment.includesTopOrigin =
            try CollectedClientData(parsing: ceremony.bytes("clientDataJSON")).topOrigin != nil
        if ceremony.members["extraData_random"] != nil {
            let random = Base64URL.encode(try ceremony.bytes("extraData_random"))
            environment.additionalClientData = [
                CollectedClientData.AdditionalMember(
                    "extraData",
                    "clientDataJSON may be extended with additional fields in the future, such as this: \(random)")
            ]
        }
        return WebAuthnClient(device: device, attachment: .crossPlatform, environment: environment)
    }
}
