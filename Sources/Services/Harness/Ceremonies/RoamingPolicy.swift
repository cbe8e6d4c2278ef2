internal import LoopbackHTTP
internal import WebAuthn

/// Which authenticators may be registered, by how they are attached (A20).
///
/// Attachment and transports are the client's word and no proof; the rule keeps honest clients to what is offered.
struct RoamingPolicy: Sendable {
    let roamingAllowed: Bool

    /// What the options say, given what the request asked for.
    func attachment(asked: AuthenticatorAttachment?) throws(APIError) -> AuthenticatorAttachment? {
        guard !roamingAllowed else { return asked }
        guard asked != .crossPlatform else { throw .attachmentNotAllowed }
        return .platform
    }

    /// Whether a response's authenticator is of the kind the options named.
    func accepts(_ response: RegistrationResponse, asked: AuthenticatorAttachment?) -> Bool {
        if let asked, let stated = response.authenticatorAttachment, stated != asked.rawValue { return false }
        guard !roamingAllowed else { return true }
        let roaming: Set = ["usb", "nfc", "ble", "smart-card"]
        return response.authenticatorAttachment != AuthenticatorAttachment.crossPlatform.rawValue
            && roaming.isDisjoint(with: response.response.transports ?? [])
    }
}
