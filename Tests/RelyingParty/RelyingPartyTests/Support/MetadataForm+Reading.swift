import Attestation
import AttestationSamples
import COSE
import MetadataService
import RelyingParty
import Testing
import WebAuthn

extension MetadataForm {
    func read(
        revocationLists: [CertificateRevocationList]? = nil, after previous: Int? = nil, now: Duration = Example.now
    ) async throws -> MetadataBLOB {
        try await MetadataBLOB(
            jws: encoded(), roots: [rootCertificate()], revocationLists: revocationLists, after: previous, now: now)
    }

    /// An entry for a credential's model, with the vectors' root.
    static func entry(
        of sample: RegistrationSample, statuses: [String] = [#"{"status":"FIDO_CERTIFIED"}"#],
        edit: (inout MetadataStatement) -> Void = { _ in }
    ) throws -> String {
        let model = try #require(AAGUID(bytes: sample.model))
        var statement = MetadataStatement(
            .model(model), description: "The vectors' model", versions: MetadataStatement.versions(of: ["FIDO_2_1"]),
            algorithms: [.es256], attestation: [.packedBasic], userVerification: [[.init(.presence)]],
            attachment: [.internal], rootCertificates: [try VectorFile.rootCertificate()])
        edit(&statement)
        return try entry(statement, statuses: statuses)
    }
}

extension RevocationForm {
    func list() throws -> CertificateRevocationList { try CertificateRevocationList(der: encoded()) }
}
