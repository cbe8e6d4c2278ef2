import CBOR
import COSE
import RelyingParty
import Testing
import WebAuthn

/// An authentication's response in parts, so that one part can be changed and everything that covers it signed
/// anew.
struct AuthenticationSample {
    let credentialKey: COSE.PrivateKey
    var clientData: CollectedClientData
    /// Replaces the serialised client data.
    var rawClientData: [UInt8]?
    var authenticatorData: AuthenticatorData
    /// Replaces the serialised authenticator data.
    var rawAuthenticatorData: [UInt8]?
    /// Signs instead of the credential's key.
    var signingKey: COSE.PrivateKey
    var editSignature: ([UInt8]) throws -> [UInt8] = { $0 }
    var userHandle: [UInt8]?
    var editResponse: (inout AuthenticationResponse) -> Void = { _ in }
    /// The relying party's record; nil when it does not know the credential.
    var record: CredentialRecord?
    var expectation: AuthenticationExpectation

    init(_ vector: Vector) throws {
        let object = try AttestationObject(parsing: vector.registration.bytes("attestationObject"))
        let registered = try AuthenticatorData(parsing: object.authenticatorData)
        let attested = try #require(registered.attestedCredentialData)
        let publicKey = try COSE.PublicKey(cbor: attested.credentialPublicKey)
        credentialKey = try vector.credentialKey(publicKey.algorithm)
        signingKey = credentialKey
        clientData = try CollectedClientData(parsing: vector.authentication.bytes("clientDataJSON"))
        authenticatorData = try AuthenticatorData(parsing: vector.authentication.bytes("authenticatorData"))
        userHandle = Example.userHandle
        record = CredentialRecord(
            id: attested.credentialID, publicKey: publicKey.encoded, signCount: registered.signCount,
            uvInitialized: registered.flags.contains(.userVerified),
            backupEligible: registered.flags.contains(.backupEligible),
            backupState: registered.flags.contains(.backupState), aaguid: attested.aaguid,
            userHandle: Example.userHandle, relyingPartyID: Example.relyingPartyID)
        expectation = AuthenticationExpectation(
            ceremony: Example.ceremony(
                challenge: try vector.authentication.bytes("challenge"), clientData: clientData),
            allowedCredentials: [attested.credentialID], user: .known(Example.userHandle))
        credentialID = attested.credentialID
    }

    let credentialID: [UInt8]

    var clientDataJSON: [UInt8] { rawClientData ?? clientData.encoded }
    var authenticatorDataBytes: [UInt8] { rawAuthenticatorData ?? authenticatorData.encoded }

    func response() throws -> AuthenticationResponse {
        let signature = try editSignature(
            try signingKey.sign(authenticatorDataBytes + sha256(clientDataJSON)))
        var response = AuthenticationResponse(
            credentialID: credentialID, authenticatorAttachment: nil,
            response: .init(
                clientDataJSON: clientDataJSON, authenticatorData: authenticatorDataBytes, signature: signature,
                userHandle: userHandle))
        editResponse(&response)
        return response
    }

    func verdict() throws -> AuthenticationVerdict {
        AuthenticationVerifier().verify(try response(), expectation: expectation) { _ in record }
    }
}
