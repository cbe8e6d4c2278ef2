internal import Biometrics
internal import CTAP
internal import PlatformErrors
internal import VirtualAuthenticator

/// What each side saw during one step.
struct Observation: Sendable {
    var succeeded = true
    /// What kept the step from being played to its end; nil when it was.
    var breakdown: Breakdown?
    /// The DOMException a page got.
    var domException: String?
    /// The client's own reason.
    var clientReason: String?
    /// The device's last refusal.
    var refusal: Refusal?
    /// A cause that did not come from a refusal, such as an invalidated key.
    var ownCause: String?
    /// What was asked for.
    var operation: PlatformOperation?
    /// The relying party's last answer.
    var httpStatus: Int?
    var code: String?
    var failedLedgerSteps: [String] = []
    var userVerified: Bool?
    var signCount: UInt32?
    var backedUp: Bool?
    /// What the act was told.
    var answer: String?
    var passkeys: Int?
    /// What the relying party saw, in words.
    var server: [String] = []
    /// Everything that happened in the device.
    var events: [AuthenticatorEvent] = []
    /// What a real device answered, which is all it tells; nil for a simulated one.
    var overheard: [(command: CTAPCommand, status: CTAPStatus)]?

    /// The CTAP status of the device's last refusal.
    var status: CTAPStatus? { refusal?.status ?? overheard?.last { $0.status != .ok }?.status }

    /// The cause of a failure, as ``PlatformErrorTable`` names it; nil when all went well.
    var cause: String? {
        if succeeded { return nil }
        if let ownCause { return ownCause }
        switch clientReason {
        case "client.noCredential": return "noCredentials"
        case "client.timeout": return "timedOut"
        case "client.pinCancelled", "client.accountNotChosen": return "userCancelled"
        default: return refusal?.cause ?? clientReason
        }
    }

    /// What the failure looks like through each interface an app has; not the page's, which is seen, nor CTAP.
    func platformErrors(in vocabulary: PlatformErrorVocabulary?) -> [PlatformError] {
        // Without the device's reason nobody knows what another platform would have said.
        guard let vocabulary, let cause, overheard == nil else { return [] }
        return vocabulary.errors(of: cause, during: operation).filter { error in
            guard error.kind == .platform || error.kind == .sdk else { return false }
            return operation.map { error.isHeard(during: $0) } ?? true
        }
    }

    /// What a page and an app would have been told.
    func told(in vocabulary: PlatformErrorVocabulary?) -> [String] {
        guard cause != nil else { return [] }
        return (domException.map { ["DOMException \($0)"] } ?? []) + platformErrors(in: vocabulary).map(\.text)
    }

    var prompts: Int {
        events.count { event in
            if case .gate(let gate) = event.kind, case .present(_) = gate.input { true } else { false }
        }
    }

    var touches: Int {
        events.count { if case .presenceAsked = $0.kind { true } else { false } }
    }
}
