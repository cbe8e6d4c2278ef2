internal import Causes
internal import Foundation
internal import PlatformErrors
internal import SimulatedDevice
internal import WebAuthnClient
internal import Wording

#if canImport(AuthenticationServices)
internal import AuthenticationServices
#endif

/// The reason why requests fail.
struct AuthorizationFailure: Error, Hashable {
    let cause: Cause
    var operation = PlatformOperation.get
    /// The reason in the error, as Apple's system words it or as a sentence for testers; nil for the cause's meaning.
    var reason: String?

    /// The reasons in Apple's words, by which apps tell errors of one code apart.
    static let requestInProgress = Self(
        cause: .promptInProgress, reason: "Request already in progress for specified application identifier.")
    static let nothingAvailable = Self(cause: .noCredentials, reason: "No credentials available for login.")
    static let mixture = Self(
        cause: .requestFailed, operation: .create,
        reason: "A conditional registration stands alone; perform the other requests with a controller of their own.")
    static let cancelledByApp = Self(cause: .appCancelled, reason: "The app cancelled the request.")
    static let appStopped = Self(
        cause: .appCancelled,
        reason: "The app stopped during the request; on a real phone its process has ended, and no code hears of it.")

    /// Whether the user was not verified, so that the request can go on.
    var isOfVerification: Bool { PlatformErrorTable.shared.outcome(cause)?.isOfGate == true }

    static func notAssociated(_ app: String, _ domain: String, _ operation: PlatformOperation) -> Self {
        Self(
            cause: .domainNotAssociated, operation: operation,
            reason: "Application with identifier \(app) is not associated with domain \(domain)")
    }

    /// The failure of a ceremony, whose cause a refusal of the device knows better.
    init(_ error: WebAuthnClientError, after refusal: Cause?, _ operation: PlatformOperation) {
        let cause = error.domException == .abortError ? Cause.appCancelled : error.cause(after: refusal)
        let isKnown = PlatformErrorTable.shared.outcome(cause) != nil
        self.init(cause: cause, operation: operation, reason: isKnown ? nil : "\(error)")
    }

    init(_ refusal: DeviceRefusal, _ operation: PlatformOperation) {
        self.init(cause: refusal.cause, operation: operation, reason: refusal.explanation)
    }

    init(cause: Cause, operation: PlatformOperation = .get, reason: String? = nil) {
        (self.cause, self.operation, self.reason) = (cause, operation, reason)
    }
}

/// The errors of AuthenticationServices for causes, from the one table of platform errors.
extension Phone {
    /// The error that the app receives.
    ///
    /// A cause that the table knows, without a code of AuthenticationServices, is the general one; so is a cause that it
    /// does not know. A ``PhoneRefusal`` stands for a state in which no app could ask.
    func authorizationError(_ failure: AuthorizationFailure) -> any Error {
        let refused = PhoneRefusal(failure.cause, failure.reason)
        guard !Self.causesWithoutApp.contains(failure.cause) else { return noting(refused) }
        let info = AuthorizationErrorInfo(failure.reason ?? Wording.sentence(refused.sentence))
        // No sheet appears over the lock screen, as none appears for an app in the background.
        let cause = Self.causesOfLock.contains(failure.cause) ? .appInBackground : failure.cause
        if let number = code(of: cause, at: "as-authorization-error", during: failure.operation) {
            return ASAuthorizationError(number, info) ?? refused
        }
        if let number = code(of: failure.cause, at: "wk-error", during: failure.operation) {
            return NSError(domain: "WKErrorDomain", code: number, userInfo: info.dictionary)
        }
        return code(of: .requestFailed, at: "as-authorization-error", during: failure.operation)
            .flatMap { ASAuthorizationError($0, info) } ?? refused
    }

    /// The states in which an app cannot ask.
    private static let causesWithoutApp: Set<Cause> = [
        .appNotRunning, .notInstalled, .deviceReplaced, .noScreen, .notOnThisPlatform,
    ]
    private static let causesOfLock: Set<Cause> = [.deviceLocked, .beforeFirstUnlock]
}

/// The user information of an error.
private struct AuthorizationErrorInfo {
    let dictionary: [String: String]

    init(_ reason: String) {
        dictionary = [
            NSLocalizedFailureReasonErrorKey: reason,
            NSLocalizedDescriptionKey: "The operation couldn’t be completed. \(reason)",
        ]
    }
}

extension ASAuthorizationError {
    fileprivate init?(_ number: Int, _ info: AuthorizationErrorInfo) {
        guard let code = Code(rawValue: number) else { return nil }
        self.init(code, userInfo: info.dictionary)
    }

    /// The answer of a controller that has no phone.
    static let noPhone = ASAuthorizationError(
        .notHandled,
        userInfo: [
            NSLocalizedDescriptionKey: Wording.sentence(Phone.missing)
        ])
}
