internal import WebAuthn

/// Checks the credential type, and that `id` and `rawId` agree (WebAuthn L3 §5.1, §7.1 step 3).
enum CredentialIdentityCheck {
    static func reasons(type: String, id: String, rawID: [UInt8]) -> [Reason] {
        var reasons: [Reason] = []
        if !isSameText(type, "public-key") {
            reasons.append(Reason(.credentialTypeInvalid, "the credential type is “\(type)”, not “public-key”"))
        }
        if !isSameText(id, Base64URL.encode(rawID)) {
            reasons.append(Reason(.credentialIDMismatch, "id is not the base64url form of rawId"))
        }
        return reasons
    }
}
