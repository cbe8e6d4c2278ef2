#if !canImport(AuthenticationServices)
public import Foundation

/// An error of AuthenticationServices, with Apple's codes, for systems without Apple's framework.
///
/// It bridges to `NSError` with Apple's domain. Source: `ASAuthorizationError.h` of Apple's SDK.
public struct ASAuthorizationError: CustomNSError, Hashable, Sendable {
    /// The reason of the error; the number is Apple's.
    public enum Code: Int, Hashable, Sendable, CaseIterable {
        /// The authorization failed for an unknown reason.
        case unknown = 1000
        /// The user cancelled, the app cancelled, or no credential is immediately available.
        case canceled = 1001
        /// The request received an invalid response.
        case invalidResponse = 1002
        /// The request was not handled.
        case notHandled = 1003
        /// The authorization failed, such as for an app that is not associated with the domain.
        case failed = 1004
        /// The request cannot show its user interface.
        case notInteractive = 1005
        /// A registration excludes a credential that the device has.
        case matchedExcludedCredential = 1006
        /// A credential could not be imported.
        case credentialImport = 1007
        /// A credential could not be exported.
        case credentialExport = 1008
        /// The user prefers an existing account of Sign in with Apple.
        case preferSignInWithApple = 1009
        /// The device is not set up to create passkeys.
        case deviceNotConfiguredForPasskeyCreation = 1010
    }

    /// The domain: `com.apple.AuthenticationServices.AuthorizationError`.
    public static let errorDomain = "com.apple.AuthenticationServices.AuthorizationError"

    /// The reason of the error.
    public let code: Code
    private let info: [String: String]

    /// An error with a code and its user information, such as the localized description and the reason.
    public init(_ code: Code, userInfo: [String: String] = [:]) { (self.code, info) = (code, userInfo) }

    /// The number of the code.
    public var errorCode: Int { code.rawValue }

    /// The user information, such as the localized description.
    public var errorUserInfo: [String: Any] { info }
}

extension ASAuthorizationError.Code {
    /// Whether an error has a code, for the patterns of `catch` and `switch`.
    public static func ~= (code: Self, error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == ASAuthorizationError.errorDomain && error.code == code.rawValue
    }
}

/// The codes as members of the error: `catch ASAuthorizationError.canceled`.
extension ASAuthorizationError {
    /// ``Code/unknown``.
    public static var unknown: Code { .unknown }
    /// ``Code/canceled``.
    public static var canceled: Code { .canceled }
    /// ``Code/invalidResponse``.
    public static var invalidResponse: Code { .invalidResponse }
    /// ``Code/notHandled``.
    public static var notHandled: Code { .notHandled }
    /// ``Code/failed``.
    public static var failed: Code { .failed }
    /// ``Code/notInteractive``.
    public static var notInteractive: Code { .notInteractive }
    /// ``Code/matchedExcludedCredential``.
    public static var matchedExcludedCredential: Code { .matchedExcludedCredential }
    /// ``Code/credentialImport``.
    public static var credentialImport: Code { .credentialImport }
    /// ``Code/credentialExport``.
    public static var credentialExport: Code { .credentialExport }
    /// ``Code/preferSignInWithApple``.
    public static var preferSignInWithApple: Code { .preferSignInWithApple }
    /// ``Code/deviceNotConfiguredForPasskeyCreation``.
    public static var deviceNotConfiguredForPasskeyCreation: Code { .deviceNotConfiguredForPasskeyCreation }
}
#endif
