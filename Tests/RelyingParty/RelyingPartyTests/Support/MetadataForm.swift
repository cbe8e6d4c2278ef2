import Attestation
import COSE
import Crypto
import Foundation
import RelyingParty
import SwiftASN1
import Testing
import WebAuthn
import X509

/// A metadata BLOB in parts; default: a valid one without entries.
struct MetadataForm {
    var number = 7
    var nextUpdate = "2025-07-01"
    /// The entries in JSON.
    var entries: [String] = []
    var header: [String: String] = ["alg": "ES256", "typ": "JWT"]
    var carriesCertificates = true
    var editPayload: (String) -> String = { $0 }
    var editSignature: ([UInt8]) -> [UInt8] = { $0 }

    let rootKey = P256.Signing.PrivateKey()
    private let leafKey = P256.Signing.PrivateKey()

    func root() throws -> CertificateForm {
        var form = try CertificateForm(authority: "Metadata root", key: rootKey)
        form.signItself(with: rootKey)
        return form
    }

    func rootCertificate() throws -> [UInt8] { try root().issue() }

    private func leaf() throws -> [UInt8] {
        var form = try root()
        form.basicConstraints = .notCertificateAuthority
        form.commonName = "Metadata signer"
        form.isSelfIssued = false
        form.publicKey = Certificate.PublicKey(leafKey.publicKey)
        form.issuer = try root().subject()
        return try form.issue()
    }

    /// The JWS in compact form (RFC 7515 §7.1).
    func encoded() throws -> [UInt8] {
        var members = header.map { "\"\($0.key)\":\"\($0.value)\"" }.sorted()
        if carriesCertificates { members.append("\"x5c\":[\"\(Data(try leaf()).base64EncodedString())\"]") }
        let payload = editPayload(
            """
            {"legalHeader":"A test","no":\(number),"nextUpdate":"\(nextUpdate)",\
            "entries":[\(entries.joined(separator: ","))]}
            """)
        let signed = [Array("{\(members.joined(separator: ","))}".utf8), Array(payload.utf8)].map {
            Base64URL.encode($0)
        }
        .joined(separator: ".")
        let signature = editSignature(Array(try leafKey.signature(for: Data(signed.utf8)).rawRepresentation))
        return Array("\(signed).\(Base64URL.encode(signature))".utf8)
    }

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
        let subject: String
        switch statement.subject {
        case .model(let aaguid): subject = #""aaguid":"\#(aaguid)""#
        case .certificates(let identifiers):
            let list = identifiers.map { "\"\(Hex.encode($0))\"" }.joined(separator: ",")
            subject = #""attestationCertificateKeyIdentifiers":[\#(list)]"#
        }
        return """
            {\(subject),"metadataStatement":\(try statement.json),"statusReports":[\(statuses.joined(separator: ","))],\
            "timeOfLastStatusChange":"2025-01-01"}
            """
    }
}

/// The contents of a certificate revocation list (RFC 5280 §5.1).
struct RevocationForm {
    var serialNumbers: [Int] = []
    var thisUpdate = (year: 2025, month: 6)
    var nextUpdate = (year: 2025, month: 7)
    var issuer: DistinguishedName
    var key: P256.Signing.PrivateKey

    func list() throws -> CertificateRevocationList { try CertificateRevocationList(der: encoded()) }

    func encoded() throws -> [UInt8] {
        var inner = DER.Serializer()
        try inner.appendConstructedNode(identifier: .sequence) { list in
            try list.serialize(1)
            try algorithm(&list)
            try list.serialize(issuer)
            try list.serialize(time(thisUpdate))
            try list.serialize(time(nextUpdate))
            guard !serialNumbers.isEmpty else { return }
            try list.appendConstructedNode(identifier: .sequence) { entries in
                for number in serialNumbers {
                    try entries.appendConstructedNode(identifier: .sequence) { entry in
                        try entry.serialize(number)
                        try entry.serialize(time(thisUpdate))
                    }
                }
            }
        }
        var outer = DER.Serializer()
        let signature = try key.signature(for: inner.serializedBytes).derRepresentation
        let list = try DER.parse(inner.serializedBytes)
        try outer.appendConstructedNode(identifier: .sequence) { whole in
            whole.serialize(list)
            try algorithm(&whole)
            try whole.serialize(ASN1BitString(bytes: ArraySlice(signature)))
        }
        return outer.serializedBytes
    }

    /// ecdsa-with-SHA256.
    private func algorithm(_ coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) {
            try $0.serialize(ASN1ObjectIdentifier(arrayLiteral: 1, 2, 840, 10045, 4, 3, 2))
        }
    }

    private func time(_ month: (year: Int, month: Int)) throws -> UTCTime {
        try UTCTime(year: month.year, month: month.month, day: 1, hours: 0, minutes: 0, seconds: 0)
    }
}
