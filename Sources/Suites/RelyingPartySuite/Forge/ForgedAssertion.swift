internal import COSE
internal import Documents
internal import WebAuthn

/// The response of an authentication, valid until a case changes one part of it.
struct ForgedAssertion: Sendable {
    let options: JSONValue
    let origin: String
    var key: COSE.PrivateKey
    var credentialID: [UInt8]
    var userHandle: [UInt8]?
    var clientData: ForgedClientData
    var authenticatorData: ForgedAuthenticatorData
    /// The signed bytes of authenticator data and the hash of client data.
    var message: @Sendable ([UInt8], [UInt8]) -> [UInt8] = { $0 + $1 }
    var changeSignature: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    var changeResponse: @Sendable (inout JSONValue) -> Void = { _ in }

    init(_ options: JSONValue, origin: String, relyingPartyID: String, passkey: ForgedPasskey) {
        (self.options, self.origin, key) = (options, origin, passkey.key)
        (credentialID, userHandle) = (passkey.id, passkey.userHandle)
        clientData = ForgedClientData(.assertion, challenge: options["challenge"]?.text ?? "", origin: origin)
        authenticatorData = ForgedAuthenticatorData(
            relyingPartyIDHash: sha256(Array(relyingPartyID.utf8)), flags: passkey.flags, counter: passkey.counter)
    }

    /// The response in JSON (WebAuthn L3 §5.1.8).
    func response() throws -> JSONValue {
        let data = authenticatorData.encoded
        let clientDataJSON = clientData.encoded
        let signature = changeSignature(try key.sign(message(data, sha256(clientDataJSON))))
        var inner: [String: JSONValue] = [
            "clientDataJSON": .text(Base64URL.encode(clientDataJSON)),
            "authenticatorData": .text(Base64URL.encode(data)), "signature": .text(Base64URL.encode(signature)),
        ]
        inner["userHandle"] = userHandle.map { .text(Base64URL.encode($0)) }
        var response: JSONValue = [
            "id": .text(Base64URL.encode(credentialID)), "rawId": .text(Base64URL.encode(credentialID)),
            "type": "public-key", "authenticatorAttachment": "cross-platform", "clientExtensionResults": [:],
            "response": .object(inner),
        ]
        changeResponse(&response)
        return response
    }
}

/// A passkey that the relying party has accepted.
struct ForgedPasskey: Sendable {
    /// The account's name before the run's suffix.
    let account: String
    let id: [UInt8]
    let key: COSE.PrivateKey
    let userHandle: [UInt8]?
    /// UP, UV and the backup flags.
    var flags: AuthenticatorDataFlags
    /// The counter of the next assertion; always above the last one that was sent.
    var counter: UInt32
}
