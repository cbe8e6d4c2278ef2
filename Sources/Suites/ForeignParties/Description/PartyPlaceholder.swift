/// A name in braces that a request of a description may contain, beside the texts kept from answers.
package enum PartyPlaceholder: String, CaseIterable, Hashable, Sendable {
    /// The account's name: that of the step, otherwise the last one that was made.
    case account
    /// The account's name if the step names one.
    case namedAccount = "named-account"
    /// The name shown to the user.
    case displayName = "display-name"
    case password
    case userVerification = "user-verification"
    case residentKey = "resident-key"
    case attestation
    /// The client's response, a JSON object.
    case credential
    /// The client's response as JSON text.
    case credentialText = "credential-text"
    /// The ID of the passkey that a request deletes.
    case passkey
    case csrf

    /// A kind of request that a placeholder can be limited to.
    enum Place: String {
        case begin = "begin of a ceremony"
        case complete = "complete of a ceremony"
        case deletion = "delete of passkeys"
    }

    /// The kind of request in which the placeholder has a value; nil for every kind.
    var place: Place? {
        switch self {
        case .namedAccount, .userVerification, .residentKey, .attestation: .begin
        case .credential, .credentialText: .complete
        case .passkey: .deletion
        case .account, .displayName, .password, .csrf: nil
        }
    }
}
