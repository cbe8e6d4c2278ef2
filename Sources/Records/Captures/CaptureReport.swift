internal import CBOR
internal import Documents
package import Foundation
package import RelyingParty
package import Trace
package import WebAuthn

/// The verdict on a captured response, and its decoded parts.
package struct CaptureReport: Encodable, Sendable {
    package let ceremony: VerificationStep.Ceremony
    package let result: Result
    /// The moment of judging, since the Unix epoch.
    package let judgedAt: Duration
    /// The missing knowledge; empty for a verified response.
    package let missing: [Capture.Missing]
    /// Remarks on the file's form.
    package let notes: [String]
    package let relyingPartyID: String
    package let origins: [String]
    package let ledger: Ledger
    /// The client data as text; nil for bytes that are not UTF-8.
    package let clientData: String?
    /// The members of the attestation object, or the parts of an assertion's authenticator data.
    package let authenticator: [TraceField]
    /// The attestation; nil for an assertion, and for a registration that was refused.
    package let attestation: Attestation?
    /// The certificates of the statement, leaf first, as far as they can be read.
    package let certificates: [StatementCertificate]
    /// The credential with its new state; nil for a response that was refused.
    package let record: CapturedRecord?

    package enum Result: String, Encodable, Sendable {
        case accepted, refused
        /// Knowledge of the relying party is missing, and nothing else fails.
        case unverified
    }

    package var accepted: Bool { result == .accepted }

    init(
        _ capture: Capture, _ ceremony: VerificationStep.Ceremony, _ ledger: Ledger, clientData: [UInt8],
        authenticator: [TraceField], attestation: Attestation? = nil, certificates: [StatementCertificate] = [],
        record: CapturedRecord?
    ) {
        let ledger = ledger.lacking(capture.missing)
        self.ceremony = ceremony
        self.ledger = ledger
        result = !ledger.failures.isEmpty ? .refused : ledger.isAccepted ? .accepted : .unverified
        (judgedAt, missing, notes) = (capture.settings.now, capture.missing, capture.notes)
        (relyingPartyID, origins) = (capture.expectation.relyingPartyID, capture.expectation.origins)
        self.clientData = String(validating: clientData, as: UTF8.self)
        (self.authenticator, self.attestation, self.certificates) = (authenticator, attestation, certificates)
        self.record = result == .accepted ? record : nil
    }

    /// The result of a valid attestation statement.
    package struct Attestation: Encodable, Sendable {
        package let format: String
        package let kind: AttestationResult.Kind
        /// Whether the certificate path leads to a trusted root.
        package let isTrusted: Bool
        /// Whether a trusted path proves the model.
        package let isModelProven: Bool

        private enum CodingKeys: String, CodingKey { case format, kind, isTrusted, isModelProven }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(format, forKey: .format)
            try container.encode(kind.rawValue, forKey: .kind)
            try container.encode(isTrusted, forKey: .isTrusted)
            try container.encode(isModelProven, forKey: .isModelProven)
        }
    }

    /// A certificate of an attestation statement.
    package struct StatementCertificate: Encodable, Sendable {
        package let subject: String
        package let issuer: String
        package let notBefore: Date
        package let notAfter: Date

        init?(der: [UInt8]) {
            guard let certificate = try? CertificateOutline(der: der) else { return nil }
            (subject, issuer) = (certificate.subject, certificate.issuer)
            (notBefore, notAfter) = (certificate.notBefore, certificate.notAfter)
        }

        private enum CodingKeys: String, CodingKey { case subject, issuer, notBefore, notAfter }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(subject, forKey: .subject)
            try container.encode(issuer, forKey: .issuer)
            try container.encode(notBefore.ISO8601Format(), forKey: .notBefore)
            try container.encode(notAfter.ISO8601Format(), forKey: .notAfter)
        }
    }

    /// ``judgedAt`` as a date.
    package var moment: Date { Date(timeIntervalSince1970: Double(judgedAt.components.seconds)) }

    private enum CodingKeys: String, CodingKey {
        case ceremony, accepted, result, judgedAt, missing, notes, relyingPartyID, origins, ledger, clientData,
            authenticator, attestation, certificates,
            record
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(ceremony.rawValue, forKey: .ceremony)
        try container.encode(accepted, forKey: .accepted)
        try container.encode(result, forKey: .result)
        try container.encode(moment.ISO8601Format(), forKey: .judgedAt)
        if !missing.isEmpty { try container.encode(missing, forKey: .missing) }
        if !notes.isEmpty { try container.encode(notes, forKey: .notes) }
        try container.encode(relyingPartyID, forKey: .relyingPartyID)
        try container.encode(origins, forKey: .origins)
        try container.encode(ledger, forKey: .ledger)
        try container.encodeIfPresent(clientData, forKey: .clientData)
        try container.encode(authenticator, forKey: .authenticator)
        try container.encodeIfPresent(attestation, forKey: .attestation)
        if !certificates.isEmpty { try container.encode(certificates, forKey: .certificates) }
        try container.encodeIfPresent(record, forKey: .record)
    }
}

extension Capture {
    /// Verifies the response as its relying party should have.
    package func verify() async -> CaptureReport {
        switch response {
        case .registration(let response): await verify(response)
        case .authentication(let response): verify(response)
        }
    }

    private func verify(_ response: RegistrationResponse) async -> CaptureReport {
        // Any handle will do for a file without one: it is compared with itself.
        let handle = userHandle ?? [0]
        let verdict = await RegistrationVerifier().verify(
            response,
            expectation: RegistrationExpectation(
                ceremony: expectation, algorithms: algorithms, userHandle: handle, completingUserHandle: handle,
                residentKey: residentKey, attestation: settings.attestation, now: settings.now,
                extensions: extensions,
                owner: { _ in .unregistered }))
        let object = response.response.attestationObject.bytes
        return CaptureReport(
            self, .registration, verdict.ledger.without(evidenceOf: Self.stepsWithoutRegistration),
            clientData: response.response.clientDataJSON.bytes,
            authenticator: ResponseDecoder.attestationObject(object),
            attestation: verdict.credential.map { credential in
                CaptureReport.Attestation(
                    format: credential.attestationFormat, kind: credential.attestation.kind,
                    isTrusted: credential.isAttestationTrusted, isModelProven: credential.isModelProven)
            },
            certificates: Self.certificates(object),
            record: verdict.credential.map { CapturedRecord($0.record, userHandle: userHandle) })
    }

    private func verify(_ response: AuthenticationResponse) -> CaptureReport {
        let stored = settings.record?.record(for: response, relyingPartyID: expectation.relyingPartyID)
        // A response without a user handle answers a request that lists credentials, to a user who was known before.
        let user: ExpectedUser =
            response.response.userHandle == nil && !isOpenRequest ? .known(stored?.userHandle ?? []) : .unknown
        let verdict = AuthenticationVerifier().verify(
            response,
            expectation: AuthenticationExpectation(
                ceremony: expectation, allowedCredentials: allowed, user: user, counterPolicy: settings.counterPolicy),
            storedCredential: { id in stored?.id == id ? stored : nil })
        var record = stored
        if let update = verdict.update {
            record?.signCount = update.signCount
            record?.backupState = update.backupState
            record?.uvInitialized = update.uvInitialized
        }
        return CaptureReport(
            self, .authentication, verdict.ledger.without(evidenceOf: stepsWithoutRecord),
            clientData: response.response.clientDataJSON.bytes,
            authenticator: ResponseDecoder.authenticatorData(response.response.authenticatorData.bytes),
            record: verdict.update == nil ? nil : record.map { CapturedRecord($0, userHandle: $0.userHandle) })
    }

    /// The certificates in `x5c` of a statement.
    private static func certificates(_ object: [UInt8]) -> [CaptureReport.StatementCertificate] {
        guard let object = try? AttestationObject(parsing: object, inAnyOrder: true),
            case .map(let statement) = object.statement, case .array(let path)? = statement["x5c"]
        else { return [] }
        return path.compactMap { item in
            if case .bytes(let der) = item { CaptureReport.StatementCertificate(der: der) } else { nil }
        }
    }
}
