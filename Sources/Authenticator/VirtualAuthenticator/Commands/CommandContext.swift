internal import CTAP
internal import Causes

/// A command being served: the request, and where the specification describes it, for the reasons of refusals.
struct CommandContext: Sendable {
    let command: CTAPCommand
    let prefix: String
    let clause: String
    let request: RequestContext

    /// The context of a command; both commands of a preview share the clause and the prefix of the final one.
    init(_ command: CTAPCommand, _ request: RequestContext) {
        self.command = command
        self.request = request
        (prefix, clause) =
            switch command {
            case .makeCredential: ("makeCredential", "CTAP 2.3 §6.1.2")
            case .getAssertion: ("getAssertion", "CTAP 2.3 §6.2.2")
            case .getNextAssertion: ("getNextAssertion", "CTAP 2.3 §6.3")
            case .clientPIN: ("clientPIN", "CTAP 2.3 §6.5.5")
            case .reset: ("reset", "CTAP 2.3 §6.6")
            case .bioEnrollment, .bioEnrollmentPreview: ("bioEnrollment", "CTAP 2.3 §6.7")
            case .credentialManagement, .credentialManagementPreview: ("credentialManagement", "CTAP 2.3 §6.8")
            case .selection: ("selection", "CTAP 2.3 §6.9")
            case .largeBlobs: ("largeBlobs", "CTAP 2.3 §6.10.2")
            case .config: ("config", "CTAP 2.3 §6.11")
            default: ("message", "CTAP 2.3 §8.1")
            }
    }

    private init(command: CTAPCommand, prefix: String, clause: String) {
        self.command = command
        self.prefix = prefix
        self.clause = clause
        request = RequestContext()
    }

    /// An app on the device that verifies its user, outside any command.
    static let app = CommandContext(command: CTAPCommand(rawValue: 0), prefix: "app", clause: "LocalAuthentication")

    /// The reason `prefix.cause`, or `prefix.name`, with the step of the clause where the clause has numbered steps.
    func reason(_ cause: Cause, as name: String? = nil, step: Int? = nil) -> RefusalReason {
        RefusalReason(prefix, cause, as: name, clause(step))
    }

    func refusal(
        _ status: CTAPStatus, _ cause: Cause, as name: String? = nil, step: Int? = nil, detail: String? = nil
    ) -> Refusal {
        Refusal(status, reason(cause, as: name, step: step), detail: detail)
    }

    func unknownSubcommand(_ number: Int) -> Refusal {
        Refusal(
            .invalidSubcommand, RefusalReason(prefix, .unknownSubcommand, "CTAP 2.3 §8.1"),
            detail: "0x" + String(number, radix: 16))
    }

    func require<T>(_ value: T?, _ name: String) throws(Refusal) -> T {
        guard let value else { throw refusal(.missingParameter, .parameterMissing, detail: "\(name) is missing") }
        return value
    }

    /// The reason `prefix.builtInUV.cause`: the outcome of a prompt at the gate.
    func builtInUVReason(_ cause: Cause, step: Int? = nil) -> RefusalReason {
        RefusalReason("\(prefix).builtInUV", cause, clause(step))
    }

    private func clause(_ step: Int?) -> String { clause + (step.map { " step \($0)" } ?? "") }
}

func require(_ condition: Bool, else refusal: @autoclosure () -> Refusal) throws(Refusal) {
    if !condition { throw refusal() }
}
