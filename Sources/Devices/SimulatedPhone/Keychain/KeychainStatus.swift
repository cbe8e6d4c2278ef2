internal import Biometrics
internal import Causes
internal import Foundation
internal import PlatformErrors
internal import SimulatedDevice
internal import VirtualAuthenticator

#if canImport(LocalAuthentication)
internal import LocalAuthentication
#endif
#if canImport(Security)
internal import Security
#endif

/// The reason why a call of the Keychain fails.
struct KeychainProblem: Error, Hashable {
    let status: OSStatus
    /// The reason for the phone's log; nil for one that the device has noted.
    let sentence: String?

    init(_ status: OSStatus, _ sentence: String? = nil) { (self.status, self.sentence) = (status, sentence) }

    /// A query that the simulation cannot carry out.
    static func query(_ sentence: String) -> KeychainProblem { KeychainProblem(errSecParam, sentence) }

    static let notFound = KeychainProblem(errSecItemNotFound)
    static let duplicate = KeychainProblem(errSecDuplicateItem)
    static let interactionNotAllowed = KeychainProblem(errSecInteractionNotAllowed)
}

extension Phone {
    /// The result of the Keychain for a refusal of the device, from the one table of platform errors; one without a number at
    /// the Keychain reaches no app on a real phone, so that no Keychain is available.
    func keychainProblem(_ error: any Error, during operation: PlatformOperation) -> KeychainProblem {
        if let problem = error as? KeychainProblem { return problem }
        let attributed = AttributedError(error)
        guard let number = code(of: attributed.cause, at: "keychain", during: operation) else {
            let refusal = noting(PhoneRefusal(attributed.cause, attributed.explanation))
            return KeychainProblem(errSecNotAvailable, refusal.sentence)
        }
        return KeychainProblem(OSStatus(number))
    }

    /// The error of LocalAuthentication for a prompt that failed, or was not allowed; nil for another failure.
    ///
    /// A function that uses a key reports the prompt's own error. Source: openradar 28317577, for the user's cancellation.
    func failedPrompt(_ error: any Error) -> NSError? {
        guard let refusal = error as? DeviceRefusal else { return nil }
        let isOfPrompt =
            PlatformErrorTable.shared.outcome(refusal.cause)?.isOfGate == true
            || [.uiUnavailable, .contextInvalid].contains(refusal.cause)
        guard isOfPrompt, let failure = localError(refusal, during: .verify) as? LAError else { return nil }
        return failure as NSError
    }

    /// Writes the reason of a failed call to the log.
    func note(_ problem: KeychainProblem, _ call: String) {
        guard let sentence = problem.sentence else { return }
        device.log.append(
            AuthenticatorEvent(
                at: clock.now(),
                kind: .device(DeviceEvent(.secretRead, "\(call) fails with \(problem.status)", explanation: sentence))))
    }
}
