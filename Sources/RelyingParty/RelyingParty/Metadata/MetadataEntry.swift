internal import WebAuthn

/// The metadata of one authenticator model (FIDO Metadata Service 3.1, `MetadataBLOBPayloadEntry`).
public struct MetadataEntry: Hashable, Sendable, Codable {
    /// The model's AAGUID as text; nil for a U2F key.
    let aaguid: String?
    /// The key identifiers of a U2F key's attestation certificates, in hexadecimal (RFC 5280 §4.2.1.2, method 1).
    let attestationCertificateKeyIdentifiers: [String]?
    let metadataStatement: Statement?
    /// The history of the model's status, oldest first.
    public let statusReports: [StatusReport]

    /// A change of a model's status (FIDO Metadata Service 3.1, `StatusReport`).
    public struct StatusReport: Hashable, Sendable, Codable {
        /// The status.
        public let status: AuthenticatorStatus
        /// The day from which the status counts, such as `2026-01-31`; nil for always.
        public let effectiveDate: String?
        /// The compromised certificate in base64; nil when the report concerns the whole model.
        let certificate: String?
    }

    /// The part of a metadata statement that verification needs (FIDO Metadata Statement 3.1).
    struct Statement: Hashable, Codable {
        let description: String
        let authenticationAlgorithms: [String]
        let attestationTypes: [String]
        /// In base64, which some vendors break into lines.
        let attestationRootCertificates: [String]
    }

    /// The model's name; nil without a statement.
    public var name: String? { metadataStatement?.description }

    func describes(_ model: AAGUID) -> Bool { aaguid.flatMap { AAGUID($0) } == model }

    func describes(keyIdentifier: [UInt8]) -> Bool {
        attestationCertificateKeyIdentifiers?.contains { Hex.decode($0) == keyIdentifier } ?? false
    }
}
