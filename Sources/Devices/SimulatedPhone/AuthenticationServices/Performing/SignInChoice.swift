/// A choice of the user on a sheet of AuthenticationServices, or among the suggestions at a field.
public struct SignInChoice: Hashable, Sendable, CustomStringConvertible {
    enum Kind: Hashable, Sendable {
        case passkey(account: String?)
        case password(account: String?)
        case securityKey, nearbyPhone, newAccount, signInWithApple, cancel
    }

    let kind: Kind

    /// A passkey; the phone asks for the account if it has several, and ``PersonAct/choose(_:)`` answers.
    public static let passkey = Self(kind: .passkey(account: nil))
    /// The passkey of an account.
    public static func passkey(account: String) -> Self { Self(kind: .passkey(account: account)) }
    /// The first saved password.
    public static let password = Self(kind: .password(account: nil))
    /// The saved password of an account.
    public static func password(account: String) -> Self { Self(kind: .password(account: account)) }
    /// A security key; without a connected one, the sheet waits for two minutes and ends.
    public static let securityKey = Self(kind: .securityKey)
    /// A passkey on the phone nearby, which scans the QR code of the sheet.
    public static let nearbyPhone = Self(kind: .nearbyPhone)
    /// A new account with a passkey.
    public static let newAccount = Self(kind: .newAccount)
    /// An existing account of Sign in with Apple, on the sheet for a new account.
    public static let signInWithApple = Self(kind: .signInWithApple)
    /// Closes the sheet.
    public static let cancel = Self(kind: .cancel)

    /// The choice in words.
    public var description: String {
        switch kind {
        case .passkey(let account): "a passkey" + (account.map { " of \($0)" } ?? "")
        case .password(let account): "a password" + (account.map { " of \($0)" } ?? "")
        case .securityKey: "a security key"
        case .nearbyPhone: "the phone nearby"
        case .newAccount: "a new account"
        case .signInWithApple: "Sign in with Apple"
        case .cancel: "cancel"
        }
    }
}

/// A credential that a sheet or a field offers.
struct AuthorizationOffer: Sendable {
    let request: PlannedAuthorization
    let kind: SignInChoice.Kind
    /// The passkey's ID; nil for another kind, and where the phone asks for the account.
    var credentialID: [UInt8]?
    /// The account of a passkey that the user picked; nil for another kind, and where the phone asks for the account.
    var account: String? {
        guard case .passkey(let account) = kind, credentialID != nil else { return nil }
        return account
    }
    /// Whether the user takes it only by a plan: a security key that is not connected, beside other credentials.
    var needsPlan = false
    /// The saved password; nil for another kind.
    var password: AuthorizationDesk.SavedPassword?

    var choice: SignInChoice { SignInChoice(kind: kind) }

    /// Whether the user's choice means this offer; a choice without an account means the first of its kind.
    func answers(_ choice: SignInChoice) -> Bool {
        switch (kind, choice.kind) {
        case (.passkey, .passkey(nil)), (.password, .password(nil)): true
        default: kind == choice.kind
        }
    }
}

extension Sequence<AuthorizationOffer> {
    /// The first offer that a choice means; without an account, the phone asks for it.
    func first(for choice: SignInChoice) -> AuthorizationOffer? {
        guard var offer = first(where: { $0.answers(choice) }) else { return nil }
        if choice == .passkey { offer.credentialID = nil }
        return offer
    }
}
