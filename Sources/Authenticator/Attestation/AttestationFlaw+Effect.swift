internal import CBOR
internal import COSE
internal import Foundation
internal import SwiftASN1
internal import X509

extension AttestationFlaw {
    /// Applies the flaw to the statement.
    func edit(_ statement: inout CBOR.Map) {
        switch self {
        case .algorithmMismatch: statement["alg"] = statement["alg"] == -257 ? -7 : -257
        case .tpmVersion: statement["ver"] = "1.2"
        default: break
        }
    }

    /// Applies the flaw to the leaf before it is signed.
    func edit(_ form: inout CertificateForm, _ authority: AttestationAuthority) throws {
        let modelExtension = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 4] as ASN1ObjectIdentifier
        switch self {
        case .expired: form.notAfter = Date(timeIntervalSince1970: 1_609_459_200)
        case .notYetValid: form.notBefore = Date(timeIntervalSince1970: 2_682_374_400)
        case .wrongModel:
            form.extensions.removeAll { $0.oid == modelExtension }
            form.add(modelExtension, DER.Serializer.bytes { $0.octetString([UInt8](repeating: 0xEE, count: 16)) })
        case .criticalModel:
            form.extensions = form.extensions.map {
                $0.oid == modelExtension ? .init(oid: $0.oid, critical: true, value: $0.value) : $0
            }
        case .malformedModel:
            form.extensions = form.extensions.map {
                $0.oid == modelExtension ? .init(oid: $0.oid, critical: false, value: $0.value.dropFirst(2)) : $0
            }
        case .authorityLeaf: form.basicConstraints = .isCertificateAuthority(maxPathLength: nil)
        case .noBasicConstraints: form.basicConstraints = nil
        case .oldVersion: form.version = .v1
        case .missingUnit: form.unit = nil
        case .missingCountry: form.country = nil
        case .wrongCurve:
            form.publicKey = try COSE.PrivateKey.generate(.es384, randomBytes: { [UInt8](repeating: 7, count: $0) })
                .publicKey
        case .tpmUsage: form.usages = nil
        case .tpmSubject: form.isSubjectEmpty = false
        case .tpmNoName: form.tpmName?.manufacturer = ""
        default: break
        }
    }

    /// The path with the flaw; nil for the leaf alone.
    func path(_ form: CertificateForm, _ authority: AttestationAuthority) throws -> [[UInt8]]? {
        switch self {
        case .emptyPath: return []
        case .garbageCertificate: return [[0x30, 0x03, 0x02, 0x01, 0x00]]
        case .unknownRoot: return [try AttestationAuthority(seed: Array("unknown root".utf8)).issue(form)]
        case .ownRoot:
            let impostor = try AttestationAuthority(seed: Array("unknown root".utf8))
            return [try impostor.issue(form), impostor.rootCertificate]
        case .missingIntermediate:
            let issuer = try intermediate(authority)
            return [try form.issued(by: issuer.form.subject, key: issuer.key, authority: issuer.key.publicKey)]
        case .wrongOrder:
            let issuer = try intermediate(authority)
            return [
                try authority.issue(issuer.form),
                try form.issued(by: issuer.form.subject, key: issuer.key, authority: issuer.key.publicKey),
            ]
        case .twoCertificates: return [try authority.issue(form), authority.rootCertificate]
        default: return nil
        }
    }

    private func intermediate(
        _ authority: AttestationAuthority
    ) throws -> (form: CertificateForm, key: COSE.PrivateKey) {
        let key = try authority.key("intermediate")
        var form = CertificateForm(
            authority.vendor, publicKey: key.publicKey, serialNumber: authority.serialNumber("intermediate"))
        form.becomeAuthority(authority.vendor, maxPathLength: 0)
        form.commonName = authority.vendor.commonName + " Intermediate"
        // The issuer meets the rules for a packed leaf, so that only the order is wrong.
        form.unit = "Authenticator Attestation"
        return (form, key)
    }
}
