import Foundation
import SimulatedAppleNames

/// The usual fake: two methods with two answers, and the values that the app reads.
final class FakeContext: AuthenticationContext {
    var canEvaluate = true
    var canEvaluateError: LAError.Code?
    var evaluates = true
    var evaluationError: LAError.Code?
    var biometryType = LABiometryType.faceID
    var evaluatedPolicyDomainState: Data? = Data("state".utf8)
    var localizedFallbackTitle: String?
    private(set) var evaluations = 0
    private(set) var isInvalidated = false

    func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        error?.pointee = canEvaluateError.map { LAError($0) as NSError }
        return canEvaluate
    }

    func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        evaluations += 1
        reply(evaluates, evaluationError.map { LAError($0) })
    }

    func invalidate() { isInvalidated = true }
}
