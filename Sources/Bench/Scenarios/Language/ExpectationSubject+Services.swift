internal import Providers

extension Expectation.Subject {
    /// Whether the services have to be looked at before and after the step.
    var concernsServices: Bool { Self.ofServices.contains { $0.name == name } }

    /// The subjects that the services beside the relying party show.
    static let ofServices: [Self] = [
        Self(
            "received", .text, .simulation,
            "The number of requests that a service received, or one of its endpoints: bankid 0, member-system write 1."
        ) { checker in
            let services = checker.observation.services
            return ServiceName.allCases.flatMap { service in
                ["\(service.rawValue) \(services.count(service))"]
                    + service.endpoints.map { "\(service.rawValue) \($0) \(services.count(service, $0))" }
            }
        },
        Self(
            "member", .text, .simulation,
            "A member's record: identifier, role and personnummer, such as kari member none."
        ) { checker in
            checker.observation.services.members.map { "\($0.id) \($0.role.rawValue) \($0.nationalID ?? nothing)" }
        },
        Self(
            "audit", .text, .simulation,
            "What became of a personnummer: source and outcome, such as vipps-login updated."
        ) { checker in checker.observation.services.audit.map { "\($0.source) \($0.outcome.rawValue)" } },
        Self(
            "submissions", .text, .simulation,
            "The number that the app's backend has stored, such as activity 1 or expense-claim 0."
        ) { checker in
            let stored = checker.observation.services.submissions
            return ["activity", "expense-claim"].map { "\($0) \(stored[$0] ?? 0)" }
        },
        Self("mail", .text, .simulation, "The address that a message was sent to.") {
            $0.observation.services.mail
        },
    ]
}
