internal import Documents
internal import Providers

extension Expectation.Subject {
    /// Whether the services have to be looked at before and after the step.
    var concernsServices: Bool { Self.ofServices.contains { $0.name == name } }

    private static let received = Self(
        "received", .counted(ServiceName.allCases.flatMap(\.countedNames)), .simulation,
        "The number of requests that a service received, or one of its endpoints: bankid 0, nordlys-members write 1."
    ) { checker in
        let services = checker.observation.services
        return ServiceName.allCases.flatMap { service in
            ["\(service.rawValue) \(services.count(service))"]
                + service.endpoints.map { "\(service.rawValue) \($0) \(services.count(service, $0))" }
        }
    }

    static let ofServices: [Self] = ListBuilder<Self>.list {
        received
        Self(
            "authorization", .text, .simulation,
            "A part of the app's last request to a provider's page: scope nin, state fresh, nonce 22 characters."
        ) { $0.observation.services.authorizations.last?.facts ?? [] }
        Self(
            "member",
            .beginning(
                Resident.all.flatMap { resident in MemberRole.allCases.map { "\(resident.id) \($0.rawValue)" } }),
            .simulation,
            "A member's record: identifier, role and personnummer, such as kari peer-mentor none."
        ) { checker in
            checker.observation.services.members.map { "\($0.id) \($0.role.rawValue) \($0.nationalID ?? nothing)" }
        }
        Self(
            "audit",
            .beginning(
                OpenIDProviderName.allCases.flatMap { provider in
                    MemberAuditEntry.Outcome.allCases.map { "\(provider.auditSource) \($0.rawValue)" }
                }), .simulation,
            "The treatment of a personnummer: source and outcome, such as vipps-login updated; with member and time "
                + "behind it, such as vipps-login updated, kari at 2026-01-01T00:00:00.000Z."
        ) { checker in
            checker.observation.services.audit.flatMap { entry in
                let outcome = "\(entry.source) \(entry.outcome.rawValue)"
                return [outcome, "\(outcome), \(entry.memberID ?? nothing) at \(entry.at)"]
            }
        }
        Self(
            "submissions", .counted(ServiceRecord.submissionKinds), .simulation,
            "The number that the app's backend has stored, such as activity 1 or expense-claim 0."
        ) { checker in
            let stored = checker.observation.services.submissions
            return ServiceRecord.submissionKinds.map { "\($0) \(stored[$0] ?? 0)" }
        }
        Self("mail", .text, .simulation, "The address that a message was sent to.") {
            $0.observation.services.mail
        }
    }
}

extension ServiceName {
    /// Itself and its endpoints, as `received` counts them.
    fileprivate var countedNames: [String] { [rawValue] + endpoints.map { "\(rawValue) \($0)" } }
}

extension AuthorizationRequest {
    /// Its parameters: the value, each scope by itself, the length, and whether the value is fresh.
    fileprivate var facts: [String] {
        parameters.sorted { $0.key < $1.key }.flatMap { name, value in
            let values = name == "scope" ? value.split(separator: " ").map(String.init) : [value]
            return values.map { "\(name) \($0)" } + ["\(name) \(value.count) characters"]
                + (fresh.contains(name) ? ["\(name) fresh"] : [])
        }
    }
}
