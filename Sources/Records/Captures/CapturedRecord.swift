internal import Documents
internal import RelyingParty
package import WebAuthn

/// A stored credential as JSON.
///
/// ID, user handle and BE that a file leaves out are taken from the response; BS and `uvInitialized` are then false.
package struct CapturedRecord: Hashable, Encodable, Sendable {
    package var id: Base64URLBytes?
    /// The public key as COSE CBOR, whatever its form in the file.
    package var publicKey: Base64URLBytes
    /// The last signature counter.
    package var signCount: UInt32
    /// BE at registration.
    package var backupEligible: Bool?
    /// The last BS.
    package var backupState: Bool?
    /// Whether the user was verified in any use.
    package var uvInitialized: Bool?
    package var userHandle: Base64URLBytes?
    package var aaguid: String?
    package var transports: [AuthenticatorTransport]?
    /// The remarks on the record's form in its file.
    private(set) var notes: [String] = []

    private enum CodingKeys: String, CodingKey {
        case id, publicKey, signCount, backupEligible, backupState, uvInitialized, userHandle, aaguid, transports
    }

    init(_ record: CredentialRecord, userHandle: [UInt8]?) {
        id = Base64URLBytes(record.id)
        publicKey = Base64URLBytes(record.publicKey)
        signCount = record.signCount
        backupEligible = record.backupEligible
        backupState = record.backupState
        uvInitialized = record.uvInitialized
        self.userHandle = userHandle.map { Base64URLBytes($0) }
        aaguid = record.aaguid.description
        transports = record.transports
    }

    /// Reads a record, or the report of a registration, which has one as `record`.
    package init(parsing bytes: [UInt8]) throws(CaptureError) {
        let whole = try CaptureError.reading("the stored credential", in: bytes) { try JSONValue(parsing: bytes) }
        if whole["ledger"] != nil, whole["record"] == nil {
            throw CaptureError("the report has no `record`, because its response was refused")
        }
        let response = whole["response"]
        if whole["record"] == nil, (response?["response"] ?? response)?["attestationObject"] != nil {
            throw CaptureError(
                "the file is a captured registration; verify it with --json, and give that report with --record")
        }
        let notes = CaptureNotes(bytes)
        let isReport = whole["record"] != nil
        let root = CaptureMember(value: whole, path: "", notes: notes)
        try self.init(isReport ? root["record"] : root)
        self.notes = notes.all
    }

    init(_ member: CaptureMember) throws(CaptureError) {
        try member.requireKnown(Self.members, others: Self.names)
        guard !member["publicKey"].isAbsent else {
            throw member["publicKey"].wrong("is missing; add the stored key: COSE or SPKI in base64url, or PEM")
        }
        guard let count = try member["signCount"].number(0...Int(UInt32.max)) else {
            throw member["signCount"].wrong("is missing; add the stored signature counter")
        }
        publicKey = Base64URLBytes(try StoredKey.cose(of: member["publicKey"], algorithm: member["publicKeyAlgorithm"]))
        signCount = UInt32(count)
        id = try member["id"].pasted().map { Base64URLBytes($0.bytes) }
        backupEligible = try member["backupEligible"].flag()
        backupState = try member["backupState"].flag()
        uvInitialized = try member["uvInitialized"].flag()
        userHandle = try member["userHandle"].pasted().map { Base64URLBytes($0.bytes) }
        aaguid = try member["aaguid"].text()
        if let aaguid, AAGUID(aaguid) == nil { throw member["aaguid"].wrong("is not an AAGUID") }
        var transports: [AuthenticatorTransport] = []
        for item in try member["transports"].items() {
            guard let name = try item.text() else { throw item.wrong("is null") }
            transports.append(AuthenticatorTransport(rawValue: name))
        }
        self.transports = transports
    }

    private static let members = [
        "id", "publicKey", "publicKeyAlgorithm", "signCount", "backupEligible", "backupState", "uvInitialized",
        "userHandle", "aaguid", "transports",
    ]

    /// The names in the records of SimpleWebAuthn, py_webauthn, go-webauthn and others.
    private static let names = [
        "counter": "signCount", "sign_count": "signCount", "signatureCounter": "signCount",
        "signature_counter": "signCount", "credentialID": "id", "credentialId": "id", "credential_id": "id",
        "credentialPublicKey": "publicKey", "credential_public_key": "publicKey", "public_key": "publicKey",
        "credentialBackedUp": "backupState", "credential_backed_up": "backupState",
        "webAuthnUserID": "userHandle", "webauthnUserID": "userHandle", "user_handle": "userHandle",
        "user_id": "userHandle",
    ]

    /// The record with which an assertion is compared.
    func record(for response: AuthenticationResponse, relyingPartyID: String) -> CredentialRecord {
        let data = try? AuthenticatorData(parsing: response.response.authenticatorData.bytes)
        let flags = data?.flags ?? []
        let handle = userHandle ?? response.response.userHandle
        return CredentialRecord(
            id: (id ?? response.rawId).bytes, publicKey: publicKey.bytes, signCount: signCount,
            uvInitialized: uvInitialized ?? false, transports: transports ?? [],
            backupEligible: backupEligible ?? flags.contains(.backupEligible), backupState: backupState ?? false,
            aaguid: aaguid.flatMap { AAGUID($0) } ?? .zero, userHandle: handle?.bytes ?? [],
            relyingPartyID: relyingPartyID)
    }
}
