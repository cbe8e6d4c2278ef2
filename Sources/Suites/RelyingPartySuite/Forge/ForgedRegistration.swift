internal import Attestation
internal import CBOR
internal import COSE
internal import Crypto
internal import Documents
internal import WebAuthn

/// The response of a registration, valid until a case changes one part of it.
struct ForgedRegistration: Sendable {
    struct Vendor: Sendable {
        let authority: AttestationAuthority
        /// The model's attestation key.
        var key: COSE.PrivateKey
        var model: AAGUID
    }

    let options: JSONValue
    let origin: String
    let key: COSE.PrivateKey
    var vendor: Vendor
    var kind: AttestationKind
    var flaw: AttestationFlaw?
    var clientData: ForgedClientData
    var authenticatorData: ForgedAuthenticatorData
    /// Changes the finished statement; the second value signs with the model's attestation key.
    var changeStatement: @Sendable (inout CBOR.Value, (([UInt8]) throws -> [UInt8])) throws -> Void = { _, _ in }
    /// Changes the members of the attestation object.
    var changeObject: @Sendable (inout CBOR.Map) -> Void = { _ in }
    /// The order of the members of its maps.
    var ordering = CBOR.MapOrdering.canonical
    /// Changes the encoded attestation object.
    var writeObject: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    var changeResponse: @Sendable (inout JSONValue) -> Void = { _ in }

    init(
        _ options: JSONValue, origin: String, relyingPartyID: String, key: COSE.PrivateKey, credentialID: [UInt8],
        kind: AttestationKind, vendor: Vendor
    ) {
        (self.options, self.origin, self.key, self.kind, self.vendor) = (options, origin, key, kind, vendor)
        clientData = ForgedClientData(
            .registration, challenge: options["challenge"]?.text ?? "", origin: origin)
        authenticatorData = ForgedAuthenticatorData(
            relyingPartyIDHash: sha256(Array(relyingPartyID.utf8)),
            flags: [.userPresent, .userVerified, .attestedCredentialData], counter: 1,
            attested: .init(
                aaguid: kind == .fidoU2F ? .zero : vendor.model, id: credentialID, key: key.publicKey.encoded))
    }

    var credentialID: [UInt8] { authenticatorData.attested?.id ?? [] }

    /// The response in JSON (WebAuthn L3 §5.1.8).
    func response() throws -> JSONValue {
        let data = authenticatorData.encoded
        let clientDataJSON = clientData.encoded
        var object = CBOR.Map()
        object["fmt"] = .text(kind.format)
        object["attStmt"] = try statement(data, sha256(clientDataJSON))
        object["authData"] = .bytes(data)
        changeObject(&object)
        let written = writeObject(CBOR.encode(.map(object), ordering: ordering))
        var response: JSONValue = [
            "id": .text(Base64URL.encode(credentialID)), "rawId": .text(Base64URL.encode(credentialID)),
            "type": "public-key", "authenticatorAttachment": "cross-platform",
            "clientExtensionResults": .object(extensionResults),
            "response": [
                "clientDataJSON": .text(Base64URL.encode(clientDataJSON)),
                "attestationObject": .text(Base64URL.encode(written)),
                "authenticatorData": .text(Base64URL.encode(data)), "transports": ["usb"],
                "publicKey": .text(Base64URL.encode(key.publicKey.subjectPublicKeyInfo)),
                "publicKeyAlgorithm": .integer(key.algorithm.rawValue),
            ],
        ]
        changeResponse(&response)
        return response
    }

    /// A client's outputs of the extensions that it knows.
    private var extensionResults: [String: JSONValue] {
        options["extensions"]?["credProps"]?.bool == true ? ["credProps": ["rk": true]] : [:]
    }

    private func statement(_ data: [UInt8], _ hash: [UInt8]) throws -> CBOR.Value {
        var value: CBOR.Value = .map([:])
        if kind != .none {
            var maker = try AttestationMaker(
                authority: vendor.authority, model: vendor.model, signing: .randomized, attestationKey: vendor.key)
            maker.flaw = flaw
            value = try maker.statement(
                kind,
                about: AttestationSubject(
                    authenticatorData: data, clientDataHash: hash,
                    relyingPartyIDHash: authenticatorData.relyingPartyIDHash, credentialID: credentialID,
                    privateKey: key)
            ).value
        }
        try changeStatement(&value) { try vendor.key.sign($0) }
        return value
    }
}

func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
