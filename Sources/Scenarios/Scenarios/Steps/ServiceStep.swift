internal import Documents
package import Providers
internal import RelyingPartyServer

/// A step that changes a service beside the relying party: a provider, the app's backend, the member system.
package enum ServiceStep: Hashable, Sendable {
    /// A service gives no answer, is slow, or works again.
    case availability(ServiceName, ServiceAvailability)
    /// An OpenID provider behaves like this from now on; without a resident the same person logs in.
    case provider(OpenIDProviderName, OpenIDFault?, NationalIDPlace?, resident: Resident?)
    case member(id: String, MemberChange)
    /// The gateway's settings change; those that are nil stay.
    case gateway(access: Duration?, session: Duration?, inactivity: Duration?, biometrics: BiometricsRule?)
    /// An organisation has a rule of its own about biometric login.
    case organisation(Organisation, BiometricsRule)
    case endSessions
    /// An account's address counts as proved from now on.
    case proveAddress(String)
    /// The mailbox delivers like this from now on.
    case mailbox(MailboxSettings)
    /// The files that tie the app to its domain have this state.
    case wellKnown(WellKnownState)
}

extension ServiceStep: StepKind {
    static let place = StepPlace.site
    var action: ScenarioStep.Action { .service(self) }

    /// Words that mean the usual behaviour.
    enum Usual {
        static let outage = "available"
        static let fault = "normal"
        static let nothing = "none"
    }

    static let verbs: [StepVerb] = ListBuilder<StepVerb>.list {
        service
        verb(
            "provider", .required("name", Form<OpenIDProviderName>.choice, "The provider."),
            .optional("does", named(Usual.fault, OpenIDFault.allCases), "Its behaviour; default: normal."),
            .optional(
                "national-id", Form<NationalIDPlace>.choice, "The place of the personnummer; default: the provider's."),
            .optional("resident", resident, "The person who logs in; default: the same as before.")
        ) { .provider($0, $1 ?? nil, $2, resident: $3) }
        verb(
            "member", .required("id", resident, "The member: kari, ola or ingrid."),
            .optional("role", Form<MemberRole>.choice, "The new role."),
            .optional("national-id", .scalar, "The new personnummer; none removes it.")
        ) { resident, role, nationalID in
            .member(
                id: resident.id,
                MemberChange(role: role, nationalID: nationalID.map { $0 == Usual.nothing ? nil : $0 }))
        }.changing()
        verb(
            "gateway", .optional("access-lifetime", .span, "The lifetime of access tokens."),
            .optional("session-lifetime", .span, "The lifetime of sessions."),
            .optional("inactivity-limit", .span, "The time without a refresh that ends a session."),
            .optional(
                "biometrics", Form<BiometricsRule>.choice,
                "The rule about biometric login of organisations without their own.")
        ) { .gateway(access: $0, session: $1, inactivity: $2, biometrics: $3) }.changing()
        verb(
            "organisation", .required("name", Form<Organisation>.choice, "The organisation."),
            .required("biometrics", Form<BiometricsRule>.choice, "Its own rule about biometric login.")
        ) { .organisation($0, $1) }
        verb("end-sessions") { .endSessions }
        verb("prove-address", .required("address", .scalar, "The address of an account.")) { .proveAddress($0) }
        verb(
            "mailbox", .optional("delay", .span, "The simulated time that a message takes; default: none."),
            .optional("loses-messages", .flag, "Whether messages never arrive; default: false.")
        ) { delay, loses in
            var settings = MailboxSettings()
            settings.delay = delay ?? .zero
            settings.losesMessages = loses ?? false
            return .mailbox(settings)
        }
        verb("well-known", .required("are", Form<WellKnownState>.choice, "The state of the files.")) { .wellKnown($0) }
    }

    /// The endpoint is one of the service's own, so the step reads its keys itself.
    private static let service: StepVerb = {
        let name = StepKey.required("name", Form<ServiceName>.choice, "The service.")
        let outage = StepKey.optional(
            "is", named(Usual.outage, ServiceOutage.allCases), "Its state; default: available.")
        let latency = StepKey.optional("latency", .span, "The simulated time that each request takes; default: none.")
        let endpoint = StepKey.optional("endpoint", .text, "The endpoint that this concerns; default: every one.")
        return StepVerb(
            "service", at: .site, keys: [name.member, outage.member, latency.member, endpoint.member]
        ) { fields throws(SourceError) in
            let service = try name.read(fields)
            var availability = ServiceAvailability()
            availability.outage = try outage.read(fields) ?? nil
            availability.latency = try latency.read(fields) ?? .zero
            if let value = fields["endpoint"] {
                availability.endpoint = try Form.named(service.endpoints.map { ($0, $0) }).value(of: value)
            }
            return .service(.availability(service, availability))
        }
    }()

    private static func named<Value: RawRepresentable & Sendable>(
        _ usual: String, _ values: [Value]
    ) -> Form<Value?> where Value.RawValue == String {
        .named([(usual, nil)] + values.map { ($0.rawValue, $0) })
    }

    private static var resident: Form<Resident> { .named(Resident.all.map { ($0.id, $0) }) }

    func perform(at site: Site) async throws -> StepResult {
        let services = site.services
        let idleness: String? =
            switch self {
            case .member(let id, let change):
                try await services.changeMember(id, change) ? nil : "the record of \(id) already was like this"
            case .endSessions: try await services.endSessions() ? nil : "the app's backend has no session"
            case .proveAddress(let address):
                try await services.proveAddress(address) ? nil : "the address \(address) was already proved"
            case .availability, .provider, .gateway, .organisation, .mailbox, .wellKnown:
                adjust(services.conditions) ? nil : "the service was already in this state"
            }
        return StepResult(idleness: idleness)
    }

    /// Changes the settings of the services; returns whether they were different.
    private func adjust(_ conditions: ServiceConditions) -> Bool {
        func change<Part: Equatable>(
            _ part: WritableKeyPath<ServiceSettings, Part>, _ edit: (inout Part) -> Void
        ) -> Bool {
            var isDifferent = false
            conditions.change { settings in
                let before = settings[keyPath: part]
                edit(&settings[keyPath: part])
                isDifferent = settings[keyPath: part] != before
            }
            return isDifferent
        }
        switch self {
        case .availability(let name, let availability):
            return change(\.[name]) { $0 = availability.isUsual ? ServiceAvailability() : availability }
        case .provider(let name, let fault, let place, let resident):
            return change(\.[name]) { settings in
                settings.fault = fault
                settings.nationalID = place
                settings.resident = resident ?? settings.resident
            }
        case .gateway(let access, let session, let inactivity, let biometrics):
            return change(\.gateway) { gateway in
                gateway.accessLifetime = access ?? gateway.accessLifetime
                gateway.sessionLifetime = session ?? gateway.sessionLifetime
                gateway.inactivityLimit = inactivity ?? gateway.inactivityLimit
                gateway.biometrics = biometrics ?? gateway.biometrics
            }
        case .organisation(let name, let rule): return change(\.gateway) { $0.organisationBiometrics[name] = rule }
        case .mailbox(let settings): return change(\.mailbox) { $0 = settings }
        case .wellKnown(let state): return change(\.wellKnown) { $0 = state }
        case .member, .endSessions, .proveAddress: return true
        }
    }

    /// The settings that the step changes; `isUsual` marks a default value, which needs no use.
    var settings: [(effect: ServiceSettings.Effect, isUsual: Bool)] {
        let usual = GatewaySettings()
        switch self {
        case .availability(let name, let availability): return [(.availability(name), availability.isUsual)]
        case .provider(let name, let fault, let place, let resident):
            return [(.fault(name), fault == nil), (.nationalID(name), place == nil)]
                + (resident == nil ? [] : [(.resident(name), false)])
        case .gateway(let access, let session, let inactivity, let biometrics):
            return [
                access.map { (.accessLifetime, $0 == usual.accessLifetime) },
                session.map { (.sessionLifetime, $0 == usual.sessionLifetime) },
                inactivity.map { (.inactivityLimit, $0 == usual.inactivityLimit) },
                biometrics.map { (.biometrics, $0 == usual.biometrics) },
            ].compactMap(\.self)
        case .organisation(let name, _): return [(.rule(name), false)]
        case .mailbox(let settings): return [(.mailbox, settings == MailboxSettings())]
        case .wellKnown(let state): return [(.wellKnown, state == .served)]
        case .member, .endSessions, .proveAddress: return []
        }
    }
}
