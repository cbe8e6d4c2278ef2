/// A provider's behaviour that a test changes.
package struct OpenIDProviderSettings: Hashable, Sendable {
    package var fault: OpenIDFault?
    /// The place of the personnummer; nil for the provider's own.
    package var nationalID: NationalIDPlace?
    /// The resident who logs in unless the page's user chooses another.
    package var resident = Resident.kari

    package init() {}
}

/// Where a provider states the user's personnummer.
package enum NationalIDPlace: String, CaseIterable, Hashable, Sendable, Codable {
    case idToken = "id-token"
    case userInfo = "userinfo"
    case both
    /// In neither, although its scope was granted.
    case absent
    /// In neither, because the provider silently drops its scope.
    case droppedScope = "dropped-scope"

    var isInIDToken: Bool { self == .idToken || self == .both }
    var isInUserInfo: Bool { self == .userInfo || self == .both }
}

/// One thing that an OpenID provider does wrong, or that its user does; the raw value is its word.
package enum OpenIDFault: String, CaseIterable, Hashable, Sendable, Codable {
    case cancel
    case noCallback = "no-callback"
    case serverError = "server-error"
    case wrongState = "wrong-state"
    case expiredCode = "expired-code"
    case usedCode = "used-code"
    case otherChallenge = "other-challenge"
    case wrongNonce = "wrong-nonce"
    case noNonce = "no-nonce"
    case wrongIssuer = "wrong-issuer"
    case wrongAudience = "wrong-audience"
    case expiredToken = "expired-token"
    case wrongSignature = "wrong-signature"
    case unknownKey = "unknown-key"
    case rotatedKey = "rotated-key"
    case unsigned
    case hmacWithPublicKey = "hmac-with-public-key"
    case otherSubject = "other-subject"

    /// One sentence for help and schema.
    package var meaning: String {
        switch self {
        case .cancel: "The user cancels: the redirect carries access_denied, whatever the form says."
        case .noCallback: "The user's decision leads to a page without a redirect."
        case .serverError: "The redirect carries server_error."
        case .wrongState: "The redirect carries another state."
        case .expiredCode: "The code has expired when the client exchanges it."
        case .usedCode: "The code was already exchanged when the client exchanges it."
        case .otherChallenge: "The code belongs to another PKCE challenge, as a code from another attempt does."
        case .wrongNonce: "The ID token has another nonce."
        case .noNonce: "The ID token has no nonce."
        case .wrongIssuer: "The ID token names another issuer."
        case .wrongAudience: "The ID token is for another client."
        case .expiredToken: "The ID token has expired."
        case .wrongSignature: "The ID token's signature is by another key than the one it names."
        case .unknownKey: "The ID token names a key that the provider does not publish."
        case .rotatedKey:
            "The provider signs with a new key, and publishes both; a correct client reads the keys again."
        case .unsigned: "The ID token has the algorithm none, and no signature."
        case .hmacWithPublicKey: "The ID token is signed with HS256, the public key as the secret."
        case .otherSubject: "The userinfo answer is about another user than the ID token."
        }
    }
}
