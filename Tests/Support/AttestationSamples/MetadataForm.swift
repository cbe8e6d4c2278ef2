public import Attestation
public import Crypto
public import Foundation
internal import SwiftASN1
internal import WebAuthn
public import X509

/// A metadata BLOB in parts; default: a valid one without entries.
public struct MetadataForm {
    /// The number of the publication.
    public var number = 7
    /// The day of the next publication.
    public var nextUpdate = "2025-07-01"
    /// The entries in JSON.
    public var entries: [String] = []
    /// The members of the header with one text.
    public var header: [String: String] = ["alg": "ES256", "typ": "JWT"]
    /// Whether the header has the signer's certificate.
    public var carriesCertificates = true
    /// The end of the signer's certificate.
    public var signerNotAfter = Date(timeIntervalSince1970: 1_900_000_000)
    /// Changes the payload before it is signed.
    public var editPayload: (String) -> String = { $0 }
    /// Changes the signature.
    public var editSignature: ([UInt8]) -> [UInt8] = { $0 }

    /// The root's key.
    public let rootKey = P256.Signing.PrivateKey()
    private let leafKey = P256.Signing.PrivateKey()

    /// A valid BLOB without entries.
    public init() {}

    /// The name of the root.
    public func rootName() -> DistinguishedName { Self.name("Metadata root") }

    /// The root's certificate in DER.
    public func rootCertificate() throws -> [UInt8] {
        try certificate("Metadata root", rootKey, .isCertificateAuthority(maxPathLength: nil))
    }

    private static func name(_ text: String) -> DistinguishedName {
        DistinguishedName([RelativeDistinguishedName(.init(type: .RDNAttributeType.commonName, utf8String: text))])
    }

    private func certificate(
        _ name: String, _ key: P256.Signing.PrivateKey, _ constraints: BasicConstraints,
        notAfter: Date = Date(timeIntervalSince1970: 1_900_000_000)
    ) throws -> [UInt8] {
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(bytes: [0x42]), publicKey: .init(key.publicKey),
            notValidBefore: Date(timeIntervalSince1970: 1_700_000_000), notValidAfter: notAfter, issuer: rootName(),
            subject: Self.name(name), signatureAlgorithm: .ecdsaWithSHA256,
            extensions: .init([Certificate.Extension(constraints, critical: true)]), issuerPrivateKey: .init(rootKey))
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }

    /// The JWS in compact form (RFC 7515 §7.1).
    public func encoded() throws -> [UInt8] {
        var members = header.map { "\"\($0.key)\":\"\($0.value)\"" }.sorted()
        if carriesCertificates {
            let leaf = try certificate("Metadata signer", leafKey, .notCertificateAuthority, notAfter: signerNotAfter)
            members.append("\"x5c\":[\"\(Data(leaf).base64EncodedString())\"]")
        }
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

    /// An entry of a model.
    public static func entry(
        _ statement: MetadataStatement, statuses: [String] = [#"{"status":"FIDO_CERTIFIED"}"#]
    ) throws -> String {
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
