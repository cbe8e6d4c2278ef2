/// A kind of input.
package enum DecodedKind: String, CaseIterable, Codable, Sendable {
    case conversation
    case credential
    case clientData = "client-data"
    case certificate
    case publicKey = "public-key"
    case signature
    case attestationObject = "attestation-object"
    case coseKey = "cose-key"
    case getInfo = "get-info"
    case reports = "ctaphid"
    case request
    case response
    case command = "apdu"
    case answer = "response-apdu"
    case authenticatorData = "authenticator-data"
    case u2f = "u2f-response"
    case largeBlobs = "large-blobs"
    case hmacSecret = "hmac-secret"
    case point = "ec-point"
    case jwk
    case aaguid
    case sshKey = "ssh-key"
    case sshSignature = "ssh-signature"
    case sshAttestation = "ssh-attestation"
    case cbor

    /// The kind in words, with its article.
    package var words: String {
        switch self {
        case .conversation: "messages between a client and a device"
        case .credential: "a credential (WebAuthn L3 §5.1)"
        case .clientData: "client data (WebAuthn L3 §5.8.1)"
        case .certificate: "an X.509 certificate (RFC 5280)"
        case .publicKey: "a public key as SubjectPublicKeyInfo (RFC 5280 §4.1.2.7)"
        case .signature: "an ECDSA signature in DER (RFC 3279 §2.2.3)"
        case .attestationObject: "an attestation object (WebAuthn L3 §6.5.4)"
        case .coseKey: "a COSE key (RFC 9052 §7)"
        case .getInfo: "an answer to authenticatorGetInfo (CTAP 2.3 §6.4)"
        case .reports: "CTAPHID reports (CTAP 2.3 §11.2)"
        case .request: "a CTAP2 request (CTAP 2.3 §8)"
        case .response: "a CTAP2 response (CTAP 2.3 §8)"
        case .command: "a command APDU (ISO/IEC 7816-4 §5.1)"
        case .answer: "a response APDU (ISO/IEC 7816-4 §5.1)"
        case .authenticatorData: "authenticator data (WebAuthn L3 §6.1)"
        case .u2f: "a response of U2F (FIDO U2F Raw Message Formats 1.2 §4.3, §5.4)"
        case .largeBlobs: "a large-blob array (CTAP 2.3 §6.10.1)"
        case .hmacSecret: "an input of hmac-secret (CTAP 2.3 §12.7)"
        case .point: "a point on an elliptic curve (SEC 1 §2.3.3)"
        case .jwk: "a JSON Web Key (RFC 7517)"
        case .aaguid: "an AAGUID (WebAuthn L3 §6.5.1)"
        case .sshKey: "a public key of OpenSSH (PROTOCOL.u2f)"
        case .sshSignature: "a signature of OpenSSH (PROTOCOL.u2f, PROTOCOL.sshsig)"
        case .sshAttestation: "an attestation of OpenSSH (PROTOCOL.u2f)"
        case .cbor: "CBOR (RFC 8949)"
        }
    }

    /// The kinds of bytes, the most specific first.
    static let ofBytes: [DecodedKind] = [
        .certificate, .publicKey, .signature, .point, .sshKey, .sshSignature, .sshAttestation, .u2f, .hmacSecret,
        .largeBlobs,
        .clientData,
        .attestationObject, .coseKey, .getInfo, .reports, .request,
        .command, .response, .authenticatorData, .answer, .aaguid, .cbor,
    ]
}
