import CBOR
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

/// The result of a request: the status on the wire and the reason in the log.
struct Told: Equatable, CustomTestStringConvertible {
    let status: CTAPStatus
    let reason: String?

    init(_ status: CTAPStatus, _ reason: String?) {
        self.status = status
        self.reason = reason
    }

    static let ok = Told(.ok, nil)

    var testDescription: String { "\(status)" + (reason.map { " \($0)" } ?? "") }
}

/// The answer to one request.
struct Answer: Sendable {
    let bytes: [UInt8]
    let reason: String?

    var told: Told { Told(CTAPStatus(rawValue: bytes.first ?? 0xFF), reason) }

    func value() throws -> CBOR.Value {
        try #require(told == .ok)
        return try CBOR.decode(Array(bytes.dropFirst()), options: .attestation)
    }

    func made() throws -> Made { Made(response: try MakeCredentialResponse(cbor: value())) }
    func got() throws -> Got { Got(response: try GetAssertionResponse(cbor: value())) }
}

/// A new credential.
struct Made {
    let response: MakeCredentialResponse

    func data() throws -> AuthenticatorData { try AuthenticatorData(parsing: response.authenticatorData) }
    func attested() throws -> AttestedCredentialData { try #require(data().attestedCredentialData) }
    func id() throws -> [UInt8] { try attested().credentialID }
    func descriptor() throws -> PublicKeyCredentialDescriptor { PublicKeyCredentialDescriptor(id: try id()) }
    func flags() throws -> AuthenticatorDataFlags { try data().flags }
}

/// An assertion.
struct Got {
    let response: GetAssertionResponse

    func data() throws -> AuthenticatorData { try AuthenticatorData(parsing: response.authenticatorData) }
    func flags() throws -> AuthenticatorDataFlags { try data().flags }
    var id: [UInt8]? { response.credential?.id }
}
