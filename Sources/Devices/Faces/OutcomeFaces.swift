/// What one outcome looks like to each layer of an app: the same cause with the code each platform gives it.
///
/// A relying party's page sees nothing but the DOM exception; a native app sees the code of the interface it called.
public struct OutcomeFaces: Hashable, Sendable {
    /// The cause's stable name: a label of the user-verification gate, or of a refusal.
    public let cause: String
    /// What a web page gets; nil where no page would be asking.
    public let domException: String?
    /// LocalAuthentication, when an app asks for the person itself.
    public let laError: PlatformCode?
    /// AuthenticationServices, when an app asks for a passkey.
    public let asAuthorizationError: PlatformCode?
    /// BiometricPrompt, when an app asks for the person itself.
    public let biometricPrompt: PlatformCode?
    /// CredentialManager, when an app asks for a passkey.
    public let credentialManager: String?
    /// Keychain or Keystore, when an app reads what it stored.
    public let secureStorage: PlatformFaces?

    /// What an app on a platform is told, in the words of that platform's interfaces.
    public func told(on platform: Platform) -> [String] {
        var lines: [String] = []
        if let domException { lines.append("DOMException \(domException)") }
        switch platform {
        case .ios:
            if let laError { lines.append("LAError \(laError)") }
            if let asAuthorizationError { lines.append("ASAuthorizationError \(asAuthorizationError)") }
            if let secureStorage { lines.append("Keychain \(secureStorage.ios)") }
        case .android:
            if let biometricPrompt { lines.append("BiometricPrompt \(biometricPrompt)") }
            if let credentialManager { lines.append("CredentialManager \(credentialManager)") }
            if let secureStorage { lines.append("Keystore \(secureStorage.android)") }
        case .securityKey: break
        }
        return lines
    }
}

/// A number and its name.
public struct PlatformCode: Hashable, Sendable, CustomStringConvertible {
    public let code: Int
    public let name: String

    init(_ code: Int, _ name: String) {
        self.code = code
        self.name = name
    }

    public var description: String { "\(code) \(name)" }
}

/// The same thing in both platforms' words.
public struct PlatformFaces: Hashable, Sendable {
    public let ios: String
    public let android: String
}
