internal import Causes
internal import DeviceProfiles
internal import Foundation
internal import PlatformErrors
internal import SimulatedDevice
internal import Wording

#if canImport(LocalAuthentication)
internal import LocalAuthentication
#endif

/// The errors of LocalAuthentication for causes, from the one table of platform errors.
extension Phone {
    /// The error that the app receives; a ``PhoneRefusal`` for a cause that reaches no app, such as one that is not running.
    func localError(_ refusal: DeviceRefusal, during operation: PlatformOperation) -> any Error {
        let refused = PhoneRefusal(refusal.cause, refusal.explanation)
        guard let number = code(of: refusal.cause, at: "la-error", during: operation),
            let code = LAError.Code(rawValue: number)
        else { return noting(refused) }
        return LAError(code, description: refused.sentence)
    }

    /// The number of a cause at an interface of the error table.
    func code(of cause: Cause, at interface: String, during operation: PlatformOperation) -> Int? {
        device.profile.platformErrors.errors(of: cause, during: operation).first { $0.interface == interface }?.code
    }
}

extension PlatformErrorRow {
    /// Whether the cause is a result of a verification of the user.
    var isOfGate: Bool { group == "gate" }
}

extension LAError {
    init(_ code: Code, description: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: Wording.sentence(description)])
    }

    /// The answer of a shape that has no phone.
    static let noPhone = LAError(
        .biometryNotAvailable,
        description: Phone.missing)
}

/// The exception that Apple's calls raise for an argument which a caller must not give; an app would end.
struct InvalidArgument: CustomNSError, LocalizedError, Hashable {
    static let errorDomain = "NSInvalidArgumentException"

    let sentence: String

    var errorDescription: String? { sentence }
    var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: sentence] }

    static let emptyReason = InvalidArgument(
        sentence:
            "localizedReason is empty: Apple's LAContext raises an exception for it, which ends the app; give a reason")
}
