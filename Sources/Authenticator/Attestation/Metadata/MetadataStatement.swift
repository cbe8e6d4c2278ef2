public import COSE
internal import Foundation
public import WebAuthn

/// A vendor's description of one authenticator model for relying parties (FIDO Metadata Statement 3.1).
///
/// A relying party that uses the FIDO Metadata Service needs it to trust the test CA.
public struct MetadataStatement: Hashable, Sendable {
    /// The identification of the model.
    public enum Subject: Hashable, Sendable {
        /// The AAGUID, for FIDO2.
        case model(AAGUID)
        /// The key identifiers of the attestation certificates, 20 bytes each (RFC 5280 §4.2.1.2, method 1), for U2F
        /// keys, which have no AAGUID.
        case certificates([[UInt8]])
    }

    /// A version of the protocol.
    public struct Version: Hashable, Sendable, Encodable {
        /// The major version.
        public var major: Int
        /// The minor version.
        public var minor: Int

        /// Describes a version.
        public init(major: Int, minor: Int) {
            self.major = major
            self.minor = minor
        }
    }

    /// The terms under which the statement may be used.
    public var legalHeader = "https://fidoalliance.org/metadata/metadata-statement-legal-header/"
    /// The model.
    public var subject: Subject
    /// The model's name in English, at most 200 characters.
    public var description: String
    /// The firmware's version: getInfo's `firmwareVersion`.
    public var authenticatorVersion: UInt32 = 1
    /// The versions of the protocol, such as 1.1 for CTAP 2.1; see ``versions(of:)``.
    public var versions: [Version]
    /// The algorithms of credentials, at least one besides ML-DSA, which the FIDO registry does not name and the
    /// statement omits.
    public var algorithms: [COSE.Algorithm]
    /// The kinds of attestation.
    public var attestation: [AttestationKind]
    /// The alternative combinations of user verification methods; a combination requires all its methods.
    public var userVerification: [[UserVerification]]
    /// The protection of private keys.
    public var keyProtection: [KeyProtection] = [.software]
    /// The protection of the matcher.
    public var matcherProtection: [MatcherProtection] = [.software]
    /// The strength of its keys in bits; nil if unknown.
    public var cryptoStrength: Int? = 128
    /// The connections.
    public var attachment: [Attachment]
    /// The attestation's root certificates in DER; empty for self attestation.
    public var rootCertificates: [[UInt8]]
    /// The getInfo response by name; see ``MetadataValue/authenticatorGetInfo(_:)``.
    public var authenticatorGetInfo: MetadataValue?

    /// Creates a statement.
    public init(
        _ subject: Subject, description: String, versions: [Version], algorithms: [COSE.Algorithm],
        attestation: [AttestationKind], userVerification: [[UserVerification]], attachment: [Attachment],
        rootCertificates: [[UInt8]], authenticatorGetInfo: MetadataValue? = nil
    ) {
        self.subject = subject
        self.description = description
        self.versions = versions
        self.algorithms = algorithms
        self.attestation = attestation
        self.userVerification = userVerification
        self.attachment = attachment
        self.rootCertificates = rootCertificates
        self.authenticatorGetInfo = authenticatorGetInfo
    }

    /// The versions named in getInfo's `versions`: 1.0 for FIDO_2_0, 1.1 for FIDO_2_1, and so on, oldest first.
    ///
    /// Omits previews and U2F.
    public static func versions(of names: [String]) -> [Version] {
        let minors = names.compactMap { name in
            name.hasPrefix("FIDO_2_") ? Int(name.dropFirst("FIDO_2_".count)) : nil
        }
        // A key of U2F alone states the version of U2F.
        if minors.isEmpty, names.contains("U2F_V2") { return [Version(major: 1, minor: 2)] }
        return Set(minors).sorted().map { Version(major: 1, minor: $0) }
    }

    /// The statement as deterministic JSON, with sorted members.
    ///
    /// - Throws: `EncodingError.invalidValue`, if the description or a required list is empty.
    public var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

extension MetadataStatement: Encodable {
    private enum Member: String, CodingKey {
        case legalHeader, description, aaguid, attestationCertificateKeyIdentifiers, authenticatorVersion
        case protocolFamily, schema, upv, authenticationAlgorithms, publicKeyAlgAndEncodings, attestationTypes
        case userVerificationDetails, keyProtection, matcherProtection, cryptoStrength, attachmentHint, tcDisplay
        case attestationRootCertificates, authenticatorGetInfo
    }

    /// Writes the members of the dictionary `MetadataStatement` (FIDO Metadata Statement 3.1).
    ///
    /// - Throws: `EncodingError.invalidValue`, if the description or a required list is empty.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        guard (1...200).contains(description.count) else {
            throw invalid(.description, "must have 1 to 200 characters", encoder)
        }
        func encode(_ list: [some Encodable], forKey key: Member) throws {
            guard !list.isEmpty else { throw invalid(key, "must not be empty", encoder) }
            try members.encode(list, forKey: key)
        }
        try members.encode(legalHeader, forKey: .legalHeader)
        try members.encode(description, forKey: .description)
        switch subject {
        case .model(let aaguid):
            try members.encode("\(aaguid)", forKey: .aaguid)
            try members.encode("fido2", forKey: .protocolFamily)
            try members.encode(["cose"], forKey: .publicKeyAlgAndEncodings)
        case .certificates(let identifiers):
            try encode(identifiers.map { Hex.encode($0) }, forKey: .attestationCertificateKeyIdentifiers)
            try members.encode("u2f", forKey: .protocolFamily)
            try members.encode(["ecc_x962_raw"], forKey: .publicKeyAlgAndEncodings)
        }
        try members.encode(authenticatorVersion, forKey: .authenticatorVersion)
        try members.encode(3, forKey: .schema)
        try encode(versions, forKey: .upv)
        try encode(Self.distinct(algorithms.compactMap(\.registeredName)), forKey: .authenticationAlgorithms)
        try encode(Self.distinct(attestation.map(\.registeredType)), forKey: .attestationTypes)
        guard !userVerification.contains([]) else {
            throw invalid(.userVerificationDetails, "must not have an empty combination", encoder)
        }
        try encode(userVerification, forKey: .userVerificationDetails)
        try encode(keyProtection, forKey: .keyProtection)
        try encode(matcherProtection, forKey: .matcherProtection)
        try members.encodeIfPresent(cryptoStrength, forKey: .cryptoStrength)
        try encode(attachment, forKey: .attachmentHint)
        // No authenticator of this bench shows transactions.
        try members.encode([String](), forKey: .tcDisplay)
        let roots = rootCertificates.map { Data($0).base64EncodedString() }
        try members.encode(roots, forKey: .attestationRootCertificates)
        try members.encodeIfPresent(authenticatorGetInfo, forKey: .authenticatorGetInfo)
    }

    private func invalid(_ member: Member, _ rule: String, _ encoder: any Encoder) -> EncodingError {
        .invalidValue(
            self, .init(codingPath: encoder.codingPath + [member], debugDescription: "\(member.stringValue) \(rule)"))
    }

    private static func distinct(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}
