internal import Attestation
internal import COSE
package import Documents
internal import Foundation
package import WebAuthn

/// A model of authenticator whose attestation the suite makes, with the test authority's certificates.
package enum SuiteModel: String, CaseIterable, Sendable {
    /// The model of every case that looks at no metadata; it has no entry.
    case usual
    case certified = "FIDO_CERTIFIED"
    case updateAvailable = "UPDATE_AVAILABLE"
    case revoked = "REVOKED"
    case verificationBypass = "USER_VERIFICATION_BYPASS"
    case attestationKey = "ATTESTATION_KEY_COMPROMISE"
    case remoteCompromise = "USER_KEY_REMOTE_COMPROMISE"
    case physicalCompromise = "USER_KEY_PHYSICAL_COMPROMISE"
    /// A model whose statement lists self attestation only.
    case surrogateOnly
    /// A model whose trust anchor is an intermediate certificate, which its statements leave out.
    case intermediateAnchor
    /// A model whose trust anchor is its attestation certificate.
    case leafAnchor

    package var aaguid: AAGUID {
        let number = UInt8(truncatingIfNeeded: (Self.allCases.firstIndex(of: self) ?? 0) + 1)
        return AAGUID(bytes: [0xF1, 0xD0, 0xF1, 0xD0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number]) ?? .zero
    }

    /// The status that the metadata reports; nil for none.
    var status: String? {
        switch self {
        case .usual, .surrogateOnly, .intermediateAnchor, .leafAnchor: nil
        case .certified, .updateAvailable, .revoked, .verificationBypass, .attestationKey, .remoteCompromise,
            .physicalCompromise:
            rawValue
        }
    }

    /// The trust anchor of the model's statements, in DER.
    private func anchor(_ authority: AttestationAuthority) throws -> [UInt8] {
        switch self {
        case .intermediateAnchor: try authority.intermediateCertificate
        case .leafAnchor: try maker(authority).certificatePath(.packedBasic).first ?? []
        default: authority.rootCertificate
        }
    }

    /// A maker with the model's own attestation key, whose leaves are issued by an intermediate that they leave out.
    private func maker(_ authority: AttestationAuthority) throws -> AttestationMaker {
        var maker = try AttestationMaker(authority: authority, model: aaguid, signing: .deterministic)
        maker.flaw = .missingIntermediate
        return maker
    }

    /// The model's own attestation key, which its metadata names; other models' keys are new in each run.
    ///
    /// - Throws: the library's error.
    func attestationKey(_ authority: AttestationAuthority) throws -> COSE.PrivateKey? {
        self == .leafAnchor ? try maker(authority).attestationKey : nil
    }

    /// The models' entries of a metadata BLOB (FIDO MDS 3.1 §3.1.1), for a relying party before a run.
    ///
    /// - Throws: the library's error, when the test authority cannot be made.
    package static func metadataEntries() throws -> JSONValue {
        let authority = try AttestationAuthority()
        return .array(
            try allCases.filter { $0 != .usual }.map { model in
                var reports: [JSONValue] = [["status": "FIDO_CERTIFIED", "effectiveDate": "2020-01-01"]]
                if let status = model.status {
                    reports.append(["status": .text(status), "effectiveDate": "2021-01-01"])
                }
                return [
                    "aaguid": .text("\(model.aaguid)"),
                    "metadataStatement": [
                        "description": .text("Touchstone conformance model \(model.rawValue)"),
                        "authenticationAlgorithms": ["secp256r1_ecdsa_sha256_raw"],
                        "attestationTypes": [model == .surrogateOnly ? "basic_surrogate" : "basic_full"],
                        "attestationRootCertificates": [.text(Data(try model.anchor(authority)).base64EncodedString())],
                    ],
                    "statusReports": .array(reports), "timeOfLastStatusChange": "2021-01-01",
                ]
            })
    }
}
