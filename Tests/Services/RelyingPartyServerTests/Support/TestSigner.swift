import CBOR
import COSE
import Crypto
import TestSupport
import WebAuthn

/// A passkey whose private key the test knows.
struct TestSigner: Sendable {
    var key: COSE.PrivateKey
    var id: [UInt8]
    var userHandle: [UInt8] = []
    var signCount: UInt32 = 0
    var flags: AuthenticatorDataFlags = [.userPresent, .userVerified]
    var attachment: AuthenticatorAttachment? = .platform
    var transports = [AuthenticatorTransport.internal]
    let origin: String

    static let aaguid = "01020304-0506-0708-090a-0b0c0d0e0f10"

    init(origin: String, seed: UInt64 = 7, algorithm: COSE.Algorithm = .es256) throws {
        var generator = SeededGenerator(seed: seed)
        key = try COSE.PrivateKey.generate(algorithm) { generator.bytes($0) }
        id = generator.bytes(32)
        self.origin = origin
    }

    /// The response to a registration; the closure may forge it before the parts are put together.
    mutating func register(
        _ options: CreationOptions, _ forge: (inout RegistrationForm) -> Void = { _ in }
    ) -> RegistrationResponse {
        userHandle = options.user.id.bytes
        var form = RegistrationForm(
            clientData: CollectedClientData(
                type: CollectedClientData.createType, challenge: options.challenge.bytes, origin: origin),
            authenticatorData: AuthenticatorData(
                relyingPartyIDHash: Array(SHA256.hash(data: Array((options.rp.id ?? "").utf8))), flags: flags,
                signCount: signCount,
                attestedCredentialData: AttestedCredentialData(
                    aaguid: AAGUID(Self.aaguid) ?? .zero, credentialID: id, credentialPublicKey: key.publicKey.cbor)),
            attachment: attachment, transports: transports)
        forge(&form)
        return form.response
    }

    /// The response to an authentication; the closure may forge it before it is signed.
    func authenticate(
        _ options: RequestOptions, _ forge: (inout AuthenticationForm) throws -> Void = { _ in }
    ) throws -> AuthenticationResponse {
        var form = AuthenticationForm(
            clientData: CollectedClientData(
                type: CollectedClientData.getType, challenge: options.challenge.bytes, origin: origin),
            authenticatorData: AuthenticatorData(
                relyingPartyIDHash: Array(SHA256.hash(data: Array((options.rpId ?? "").utf8))), flags: flags,
                signCount: signCount),
            key: key, id: id, userHandle: userHandle)
        try forge(&form)
        return try form.response()
    }
}

/// A registration's parts.
struct RegistrationForm {
    var clientData: CollectedClientData
    var authenticatorData: AuthenticatorData
    var attachment: AuthenticatorAttachment?
    var transports: [AuthenticatorTransport]
    var format = "none"
    var statement: CBOR.Value = .map([:])
    var trailing: [UInt8] = []
    var statedID: String?
    var discoverable: Bool?

    var response: RegistrationResponse {
        let object = AttestationObject(
            format: format, statement: statement, authenticatorData: authenticatorData.encoded)
        var response = RegistrationResponse(
            credentialID: authenticatorData.attestedCredentialData?.credentialID ?? [],
            authenticatorAttachment: attachment,
            clientExtensionResults: ClientExtensionResults(credProps: discoverable.map { .init(rk: $0) }),
            response: .init(
                clientDataJSON: clientData.encoded, attestationObject: object.encoded + trailing,
                transports: transports))
        if let statedID { response.id = statedID }
        return response
    }
}

/// An authentication's parts.
struct AuthenticationForm {
    var clientData: CollectedClientData
    var authenticatorData: AuthenticatorData
    var key: COSE.PrivateKey
    var id: [UInt8]
    var userHandle: [UInt8]?
    var editSignature: ([UInt8]) -> [UInt8] = { $0 }

    func response() throws -> AuthenticationResponse {
        let clientDataJSON = clientData.encoded
        let signed = authenticatorData.encoded + Array(SHA256.hash(data: clientDataJSON))
        return AuthenticationResponse(
            credentialID: id, authenticatorAttachment: .platform,
            response: .init(
                clientDataJSON: clientDataJSON, authenticatorData: authenticatorData.encoded,
                signature: editSignature(try key.sign(signed)), userHandle: userHandle))
    }
}
