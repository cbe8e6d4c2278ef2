package import Attestation
internal import Biometrics
internal import CBOR
internal import COSE
internal import CTAP
package import DeviceProfiles
internal import VirtualAuthenticator
internal import WebAuthn

extension DeviceProfile {
    /// The metadata statement of this model, with the test root in it; throws when keys cannot be created.
    package func metadataStatement() async throws -> MetadataStatement {
        let device = try SimulatedDevice(
            profile: self, time: SimulatedClock(), random: SeededRandomSource(seed: 0), user: ConsentingUser())
        let info = await device.authenticator.info()
        var kinds = authenticator.attestation
        // Enterprise attestation needs a certificate (CTAP 2.3 §7.1).
        if authenticator.management.enterpriseAttestation != nil, !kinds.contains(.packedBasic) {
            kinds.append(.packedBasic)
        }
        let authority = try AttestationAuthority()
        // U2F attestation has no AAGUID; the certificate identifies the model.
        let subject: MetadataStatement.Subject =
            if kinds == [.fidoU2F] {
                .certificates([
                    try AttestationMaker(authority: authority, model: authenticator.aaguid, signing: .deterministic)
                        .keyIdentifier
                ])
            } else {
                .model(authenticator.aaguid)
            }
        let needsRoot = kinds.contains { $0 != .none && $0 != .packed }
        var statement = MetadataStatement(
            subject, description: title, versions: MetadataStatement.versions(of: info.versions),
            algorithms: authenticator.possibleAlgorithms, attestation: kinds.isEmpty ? [.none] : kinds,
            userVerification: userVerificationMethods.map { [$0] }, attachment: attachments,
            rootCertificates: needsRoot ? [authority.rootCertificate] : [])
        if let firmware = authenticator.firmwareVersion { statement.authenticatorVersion = UInt32(clamping: firmware) }
        if authenticator.answersCTAP2, case .map(let members) = info.cbor {
            statement.authenticatorGetInfo = MetadataValue.authenticatorGetInfo(members)
        }
        return statement
    }

    private var userVerificationMethods: [MetadataStatement.UserVerification] {
        var methods: [MetadataStatement.UserVerification] = []
        for sensor in sensors where sensor.strengthClass != .class1 {
            let biometric = MetadataStatement.Biometric(
                maxTemplates: sensor.maxTemplates,
                maxRetries: (sensor.lockoutPolicy ?? lockout?.lockout)?.permanentAt)
            methods.append(MetadataStatement.UserVerification(Self.method(sensor.modality), biometric: biometric))
        }
        if deviceCredential != nil { methods.append(MetadataStatement.UserVerification(.passcode)) }
        if authenticator.supportsClientPIN {
            let code = MetadataStatement.Code(
                base: 64, minLength: authenticator.minPINLength, maxRetries: authenticator.maxPINRetries)
            methods.append(MetadataStatement.UserVerification(.externalPasscode, code: code))
        }
        return methods + [MetadataStatement.UserVerification(.presence)]
    }

    private static func method(_ modality: BiometricModality) -> MetadataStatement.UserVerificationMethod {
        switch modality {
        case .fingerprint: .fingerprint
        case .voice: .voiceprint
        case .face: .faceprint
        case .iris: .eyeprint
        }
    }

    private var attachments: [MetadataStatement.Attachment] {
        guard !authenticator.isPlatform else { return [.internal] }
        var attachments: [MetadataStatement.Attachment] = [.external]
        if authenticator.transports.contains(.usb) { attachments.append(.wired) }
        if authenticator.transports.contains(where: { $0 == .nfc || $0 == .ble }) { attachments.append(.wireless) }
        if authenticator.transports.contains(.nfc) { attachments.append(.nfc) }
        if authenticator.transports.contains(.ble) { attachments.append(.bluetooth) }
        return attachments
    }
}
