internal import LoopbackHTTP
internal import WebAuthn

/// The policy for the attachment of registered authenticators (A20).
///
/// Attachment and transports are unproven claims of the client, so the policy binds honest clients only.
struct RoamingPolicy: Sendable {
    let roamingAllowed: Bool

    /// The attachment in the options, given the request's.
    func attachment(asked: AuthenticatorAttachment?) throws(APIError) -> AuthenticatorAttachment? {
        guard !roamingAllowed else { return asked }
        guard asked != .crossPlatform else { throw .attachmentNotAllowed }
        return .platform
    }

    /// Whether a response's authenticator has the attachment in the options.
    func accepts(_ response: RegistrationResponse, asked: AuthenticatorAttachment?) -> Bool {
        if let asked, let stated = response.authenticatorAttachment, stated != asked.rawValue { return false }
        guard !roamingAllowed else { return true }
        return response.authenticatorAttachment != AuthenticatorAttachment.crossPlatform.rawValue
            && !(response.response.transports ?? []).contains(where: \.isRoaming)
    }
}
