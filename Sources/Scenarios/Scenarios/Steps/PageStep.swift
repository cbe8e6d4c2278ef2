internal import Causes
internal import Documents
internal import ForeignParties
internal import SimulatedDevice
internal import WebAuthn
internal import WebAuthnClient

/// A step of a page that offers passkeys at a field, or tells the provider about them.
package enum PageStep: Hashable, Sendable {
    /// The browser has conditional mediation, or lacks it.
    case conditionalMediation(Bool)
    /// The page starts a conditional request, with the stored password of an account or without one.
    case conditionalRequest(checksAvailability: Bool, passwordOf: String?, password: String?)
    /// The user picks a suggestion: a passkey, or the password of an account.
    case pick(passwordOf: String?)
    case abort
    /// The page signals the relying party's knowledge.
    case signal(Signal, name: String?)

    package enum Signal: String, Hashable, Sendable, CaseIterable {
        case unknownCredential = "unknown-credential"
        case acceptedCredentials = "accepted-credentials"
        case userDetails = "user-details"
    }
}

extension PageStep: StepKind {
    static let place = StepPlace.device
    var action: ScenarioStep.Action { .page(self) }

    /// `on` or `off`, which YAML takes for flags in some versions.
    private enum Switch: String, CaseIterable, Sendable { case on, off }

    static let verbs: [StepVerb] = ListBuilder<StepVerb>.list {
        verb("conditional-mediation", .required("state", Form<Switch>.choice, "Whether the browser offers it.")) {
            (state: Switch) in .conditionalMediation(state == .on)
        }
        verb(
            "conditional-request",
            .optional("check", .flag, "Whether the page asks first if the browser offers it; default: true."),
            .optional("password-of", .scalar, "The account whose stored password is also offered."),
            .optional("password", .scalar, "That password.")
        ) { .conditionalRequest(checksAvailability: $0 ?? true, passwordOf: $1, password: $2) }
        .refusing("password") {
            $0["password-of"] == nil ? "it needs password-of, its account" : nil
        }
        verb(
            "pick-suggestion",
            .optional("password-of", .scalar, "The account whose password the user picks; default: the passkey.")
        ) { .pick(passwordOf: $0) }
        verb("abort-request") { .abort }
        verb(
            "signal", .required("of", Form<Signal>.choice, "The news."),
            .optional("name", .scalar, "The user's new name, for user-details.")
        ) { .signal($0, name: $1) }
        .refusing("name") { fields throws(SourceError) in
            let signal = try fields.required("of").string()
            return signal == Signal.userDetails.rawValue ? nil : "\(signal) says nothing about a name"
        }
    }

    var title: String {
        switch self {
        case .conditionalMediation(let isOffered): "the browser \(isOffered ? "offers" : "lacks") conditional mediation"
        case .conditionalRequest(_, let account?, _): "offers passkeys and the password of \(account) at the field"
        case .conditionalRequest: "offers passkeys at the field"
        case .pick(let account?): "the user picks the password of \(account)"
        case .pick: "the user picks a passkey at the field"
        case .abort: "the page aborts its request"
        case .signal(let signal, _): "the page signals \(signal.rawValue)"
        }
    }

    func perform(on device: StageDevice, at stage: Stage) async throws -> StepResult {
        switch self {
        case .conditionalMediation(let isOffered):
            guard await device.page.isConditionalMediationAvailable != isOffered else {
                return StepResult(idleness: "the browser was already in this state")
            }
            var rules = device.pageRules
            rules.offersConditionalMediation = isOffered
            await device.page.set(rules)
            return StepResult()
        case .conditionalRequest(let checksAvailability, let account, let password):
            return try await request(checksAvailability, account, password, on: device, at: stage.party)
        case .pick(let account): return try await pick(account, on: device, at: stage)
        case .abort:
            guard let error = await device.page.abort() else { return .refused(.nothingPending) }
            return StepResult(answer: error.domException.rawValue)
        case .signal(let signal, let name): return try await send(signal, name, on: device, at: stage)
        }
    }

    private func request(
        _ checksAvailability: Bool, _ account: String?, _ password: String?, on device: StageDevice,
        at party: any PageParty
    ) async throws -> StepResult {
        if let cause = device.obstacleToCeremony { return .refused(cause) }
        if checksAvailability, await !device.page.isConditionalMediationAvailable {
            return StepResult(answer: "unavailable")
        }
        guard
            let options: RequestOptions = try await party.begin(.signIn, PartyRequirements(), from: device.profile)
        else { return StepResult() }
        let passwords = account.map { [CredentialPage.Password(name: $0, password: password ?? "")] } ?? []
        do {
            try await device.page.startConditional(options, origin: party.origin, passwords: passwords)
            return StepResult(answer: "pending")
        } catch {
            return StepResult(isRefused: true, clientError: error)
        }
    }

    private func pick(_ account: String?, on device: StageDevice, at stage: Stage) async throws -> StepResult {
        if let cause = device.obstacleToCeremony { return .refused(cause) }
        do {
            switch try await device.page.pick(account.map { .password(name: $0) } ?? .passkey) {
            case nil: return .refused(.nothingPending)
            case .password(let password):
                let body = ["username": password.name, "password": password.password]
                _ = try await stage.site().send("POST", "/password/sign-in", body, from: device.profile)
                return StepResult(answer: "password")
            case .passkey(let response):
                stage.party.memory.presents(response)
                let data = try? AuthenticatorData(parsing: response.response.authenticatorData.bytes)
                _ = try await stage.party.complete(.signIn, response, from: device.profile)
                return StepResult(authenticatorData: data, answer: "passkey")
            }
        } catch is WebAuthnClientError {
            // The page gets no error: its request goes on waiting. The device's log has the cause.
            return StepResult(isRefused: true)
        }
    }

    private func send(
        _ signal: Signal, _ name: String?, on device: StageDevice, at stage: Stage
    ) async throws -> StepResult {
        guard let simulation = device.simulation else { return .refused(.notOnThisPlatform) }
        let memory = stage.party.memory
        guard let user = memory.user else { return .refused(.noSuchPasskey) }
        let news: PasskeySignal
        switch signal {
        case .unknownCredential:
            guard let id = memory.lastCredentialID else { return .refused(.noSuchPasskey) }
            news = .unknownCredential(id: id)
        case .acceptedCredentials:
            guard let passkeys = try await stage.party.passkeyIDs(isRecorded: true) else { return StepResult() }
            news = .allAcceptedCredentials(userID: user.id, ids: passkeys.compactMap(Base64URL.decode))
        case .userDetails:
            let name = name ?? user.name
            news = .currentUserDetails(userID: user.id, name: name, displayName: name)
        }
        await simulation.device.take(news, of: user.relyingPartyID)
        return StepResult()
    }
}
