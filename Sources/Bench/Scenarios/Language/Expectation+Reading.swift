internal import CTAP
internal import Documents
internal import WebAuthn
internal import WebAuthnClient

extension Expectation.Subject {
    /// Whether only steps at a device show it.
    var needsDevice: Bool {
        switch self {
        case .outcome, .cause, .http, .code, .ledger, .passkeys: false
        default: true
        }
    }
}

extension Expectation {
    /// - Parameter obstacle: the reason a subject cannot be observed here; nil when it can.
    init(reading value: YAMLValue?, obstacle: (Subject) -> String?) throws(SourceError) {
        guard let value else {
            checks = []
            return
        }
        guard value.isMapping else {
            // `expect: refused` is the outcome alone.
            checks = [Check(line: value.line, subject: .outcome, value: try Self.outcome(value))]
            return
        }
        var checks: [Check] = []
        for (key, value) in try value.entries() {
            guard let subject = Subject(rawValue: key) else {
                let subjects = Subject.allCases.map(\.rawValue).joined(separator: ", ")
                throw value.error("\"\(key)\" cannot be expected; choose one of \(subjects)")
            }
            if let obstacle = obstacle(subject) { throw value.error(obstacle) }
            for item in value.itemsOrSelf() {
                let text = try subject == .outcome ? Self.outcome(item) : Self.value(item, of: subject)
                checks.append(Check(line: item.line, subject: subject, value: text))
            }
        }
        self.checks = checks
    }

    /// A value that the subject can take.
    private static func value(_ item: YAMLValue, of subject: Subject) throws(SourceError) -> String {
        let text = try item.string()
        let possible: [String]? =
            switch subject {
            case .status: CTAPStatus.all.compactMap(\.name)
            case .page: DOMExceptionName.allCases.map(\.rawValue)
            case .ledger: VerificationStep.allCases.map(\.rawValue)
            case .lockout: ["none", "timed", "permanent", "exhausted"]
            case .screen: ["locked", "unlocked"]
            case .network: ["online", "offline"]
            default: nil
            }
        let canBeNothing = ![.lockout, .screen, .network].contains(subject)
        guard let possible, !possible.contains(text), !(canBeNothing && text == "none") else { return text }
        let examples =
            possible.count > 40
            ? "one such as \(possible.suffix(3).joined(separator: ", "))"
            : "one of \(possible.joined(separator: ", "))"
        throw item.error("\"\(text)\" is no value of \(subject.rawValue); choose \(examples)")
    }

    private static func outcome(_ value: YAMLValue) throws(SourceError) -> String {
        let text = try value.string()
        guard text == "ok" || text == "refused" else { throw value.error("expected ok or refused") }
        return text
    }
}
