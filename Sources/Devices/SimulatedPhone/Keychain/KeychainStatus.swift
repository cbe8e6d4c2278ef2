internal import Biometrics
internal import Causes
internal import PlatformErrors
internal import SimulatedDevice
internal import VirtualAuthenticator

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

    /// Writes the reason of a failed call to the log.
    func note(_ problem: KeychainProblem, _ call: String) {
        guard let sentence = problem.sentence else { return }
        device.log.append(
            AuthenticatorEvent(
                at: clock.now(),
                kind: .device(DeviceEvent(.secretRead, "\(call) fails with \(problem.status)", explanation: sentence))))
    }
}
