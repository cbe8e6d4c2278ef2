// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if !canImport(LocalAuthentication)
public import Foundation

/// An error of LocalAuthentication, with Apple's codes, for systems without Apple's framework.
///
/// It bridges to `NSError` with Apple's domain. Source: `LAError.h` of Apple's SDK.
public struct LAError: CustomNSError, Hashable, Sendable {
    /// The reason of the error; the number is Apple's.
    public enum Code: Int, Hashable, Sendable {
        /// The user did not give valid credentials.
        case authenticationFailed = -1
        /// The user pressed Cancel.
        case userCancel = -2
        /// The user pressed the fallback button.
        case userFallback = -3
        /// The system cancelled the evaluation.
        case systemCancel = -4
        /// The device has no passcode.
        case passcodeNotSet = -5
        /// The device has no sensor, or the app may not use it.
        case biometryNotAvailable = -6
        /// The user has enrolled no face or finger.
        case biometryNotEnrolled = -7
        /// Too many failures have locked the sensor.
        case biometryLockout = -8
        /// The app cancelled the evaluation.
        case appCancel = -9
        /// The context was invalidated.
        case invalidContext = -10
        /// No paired companion, such as a watch, is nearby.
        case companionNotAvailable = -11
        /// The removable sensor of a Mac is not paired.
        case biometryNotPaired = -12
        /// The removable sensor of a Mac is not connected.
        case biometryDisconnected = -13
        /// The dimensions of an embedded view are too small.
        case invalidDimensions = -14
        /// The evaluation needs a prompt, which is not allowed.
        case notInteractive = -1004
    }

    /// The domain: `com.apple.LocalAuthentication`.
    public static let errorDomain = "com.apple.LocalAuthentication"

    /// The reason of the error.
    public let code: Code
    private let info: [String: String]

    /// An error with a code and its user information, such as the localized description.
    public init(_ code: Code, userInfo: [String: String] = [:]) { (self.code, info) = (code, userInfo) }

    /// The number of the code.
    public var errorCode: Int { code.rawValue }

    /// The user information, such as the localized description.
    public var errorUserInfo: [String: Any] { info }
}

/// The names from before Face ID, which Apple has deprecated.
extension LAError.Code {
    /// The older name of ``biometryNotAvailable``.
    public static var touchIDNotAvailable: Self { .biometryNotAvailable }
    /// The older name of ``biometryNotEnrolled``.
    public static var touchIDNotEnrolled: Self { .biometryNotEnrolled }
    /// The older name of ``biometryLockout``.
    public static var touchIDLockout: Self { .biometryLockout }
}

extension LAError.Code {
    /// The older name of ``companionNotAvailable``.
    public static var watchNotAvailable: Self { .companionNotAvailable }

    /// Whether an error has a code, for the patterns of `catch` and `switch`.
    public static func ~= (code: Self, error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == LAError.errorDomain && error.code == code.rawValue
    }
}

/// The codes as members of the error: `catch LAError.userCancel`.
extension LAError {
    /// ``Code/authenticationFailed``.
    public static var authenticationFailed: Code { .authenticationFailed }
    /// ``Code/userCancel``.
    public static var userCancel: Code { .userCancel }
    /// ``Code/userFallback``.
    public static var userFallback: Code { .userFallback }
    /// ``Code/systemCancel``.
    public static var systemCancel: Code { .systemCancel }
    /// ``Code/passcodeNotSet``.
    public static var passcodeNotSet: Code { .passcodeNotSet }
    /// ``Code/biometryNotAvailable``.
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
    /// ``Code/biometryNotEnrolled``.
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    /// ``Code/biometryLockout``.
    public static var biometryLockout: Code { .biometryLockout }
    /// The older name of ``biometryNotAvailable``.
    public static var touchIDNotAvailable: Code { .biometryNotAvailable }
    /// The older name of ``biometryNotEnrolled``.
    public static var touchIDNotEnrolled: Code { .biometryNotEnrolled }
    /// The older name of ``biometryLockout``.
    public static var touchIDLockout: Code { .biometryLockout }
    /// ``Code/appCancel``.
    public static var appCancel: Code { .appCancel }
    /// ``Code/invalidContext``.
    public static var invalidContext: Code { .invalidContext }
    /// ``Code/companionNotAvailable``.
    public static var companionNotAvailable: Code { .companionNotAvailable }
    /// The older name of ``companionNotAvailable``.
    public static var watchNotAvailable: Code { .companionNotAvailable }
    /// ``Code/biometryNotPaired``.
    public static var biometryNotPaired: Code { .biometryNotPaired }
    /// ``Code/biometryDisconnected``.
    public static var biometryDisconnected: Code { .biometryDisconnected }
    /// ``Code/invalidDimensions``.
    public static var invalidDimensions: Code { .invalidDimensions }
    /// ``Code/notInteractive``.
    public static var notInteractive: Code { .notInteractive }
}

/// The domain of ``LAError``.
public let LAErrorDomain = LAError.errorDomain

/// The address at which a call stores its error, as in Objective-C.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
#endif
