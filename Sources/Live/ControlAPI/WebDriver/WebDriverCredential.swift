internal import COSE
internal import CTAP
internal import Documents
internal import Foundation
internal import LoopbackHTTP
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

/// Credentials in WebDriver commands (WebAuthn L3 §11.4, Credential Parameters).
enum WebDriverCredential {
    /// The schema of Add Credential's body; `isStrict` refuses unknown keys.
    static func schema(isStrict: Bool) -> Schema {
        .object(Schema.Members(members: members(isAnswer: false), isOpen: !isStrict))
    }

    /// - Parameter isAnswer: whether the backup flags are always present.
    private static func members(isAnswer: Bool) -> [Schema.Member] {
        [
            .required("credentialId", .string()), .required("isResidentCredential", .boolean),
            .required("rpId", .string()), .required("privateKey", .string(), "PKCS #8, base64url."),
            .optional("userHandle", .string()),
            .required("signCount", .orNull(.counter), "null: a credential without a counter."),
            .optional("largeBlob", .string()),
            Schema.Member(name: "backupEligibility", schema: .boolean, isRequired: isAnswer),
            Schema.Member(name: "backupState", schema: .boolean, isRequired: isAnswer),
            .optional("userName", .string()), .optional("userDisplayName", .string()),
        ]
    }

    static func read(_ body: JSONValue, isStrict: Bool) throws(APIError) -> ImportedCredential {
        try OwnNames.check(body)
        func bytes(_ name: String) throws(APIError) -> [UInt8]? {
            guard let text = body[name]?.text else { return nil }
            return try Self.bytes(text, name, isStrict: isStrict)
        }
        let id = try bytes("credentialId") ?? []
        guard (1...1023).contains(id.count) else { throw invalid("credentialId", "must have 1 to 1023 bytes") }
        let rpID = body["rpId"]?.text ?? ""
        guard Origin.isRelyingPartyID(rpID) else {
            throw invalid(
                "rpId", "must be a domain in lower-case ASCII, such as example.org, without scheme, port and final dot")
        }
        let isDiscoverable = body["isResidentCredential"]?.bool ?? false
        let userHandle = try bytes("userHandle")
        guard !isDiscoverable || userHandle != nil else {
            throw invalid("userHandle", "is missing; a resident credential needs it")
        }
        guard userHandle?.count ?? 0 <= 64 else { throw invalid("userHandle", "must have at most 64 bytes") }
        var credential = ImportedCredential(
            id: id, isDiscoverable: isDiscoverable, relyingPartyID: rpID,
            user: PublicKeyCredentialUserEntity(
                id: userHandle ?? [], name: body["userName"]?.text, displayName: body["userDisplayName"]?.text),
            privateKey: try privateKey(try bytes("privateKey") ?? [], isStrict: isStrict),
            signCount: body["signCount"]?.integer.map { UInt32($0) })
        credential.isBackupEligible = body["backupEligibility"]?.bool
        credential.isBackedUp = body["backupState"]?.bool
        if let blob = try bytes("largeBlob") {
            guard isDiscoverable, let value = LargeBlobExtensionValue(compressing: blob) else {
                throw invalid("largeBlob", "needs a resident credential")
            }
            credential.largeBlob = value
        }
        return credential
    }

    private static func privateKey(_ bytes: [UInt8], isStrict: Bool) throws(APIError) -> COSE.PrivateKey {
        do {
            let key = try COSE.PrivateKey(pkcs8Representation: bytes)
            guard !isStrict || key.algorithm == .es256 else { throw invalid("privateKey", "must be a P-256 key") }
            return key
        } catch let error as APIError {
            throw error
        } catch {
            throw invalid("privateKey", "must be a private key in PKCS #8 (\(error))")
        }
    }

    /// The bytes of a parameter in base64url; without `isStrict`, also with padding and in plain base64.
    static func bytes(_ text: String, _ name: String, isStrict: Bool) throws(APIError) -> [UInt8] {
        if let bytes = Base64URL.decode(text) { return bytes }
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        guard !isStrict, let data = Data(base64Encoded: standard) else { throw invalid(name, "must be base64url") }
        return Array(data)
    }

    private static func invalid(_ name: String, _ rule: String) -> APIError {
        WebDriverError.invalidArgument.because("“\(name)” \(rule).")
    }

    static func write(_ credential: StoredCredential, isStrict: Bool) -> JSONValue {
        var json: [String: JSONValue] = [
            "credentialId": .text(Base64URL.encode(credential.id)),
            "isResidentCredential": .bool(credential.isDiscoverable), "rpId": .text(credential.relyingPartyID),
            "privateKey": .text(Base64URL.encode(credential.exportedPrivateKey)),
            "signCount": .integer(Int(credential.signCount)), "backupEligibility": .bool(credential.isBackupEligible),
            "backupState": .bool(credential.isBackedUp),
        ]
        // Clients that expect a number fail on null, which ChromeDriver never sends.
        if isStrict, credential.ownCounter == AuthenticatorConfiguration.CounterMode.none { json["signCount"] = .null }
        if !credential.user.id.isEmpty { json["userHandle"] = .text(Base64URL.encode(credential.user.id)) }
        json["userName"] = credential.user.name.map(JSONValue.text)
        json["userDisplayName"] = credential.user.displayName.map(JSONValue.text)
        json["largeBlob"] = (credential.largeBlob?.blob).map { .text(Base64URL.encode($0)) }
        return .object(json)
    }

    /// The schema of Get Credentials' answer.
    static let answerSchema = Schema.array(.object(Schema.Members(members: members(isAnswer: true))))
}
