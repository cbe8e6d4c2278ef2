internal import CTAP
internal import Causes
internal import Foundation
internal import SimulatedDevice
internal import Synchronization
internal import VirtualAuthenticator

/// A phone's state for sign-ins of its apps: the requests in progress, associated domains, saved passwords, the
/// connected security key, and the user's planned choices.
final class AuthorizationDesk: Sendable {
    struct SavedPassword: Hashable, Sendable {
        let domain: String
        let account: String
        let password: String

        func isOfSameAccount(_ other: Self) -> Bool { domain == other.domain && account == other.account }
    }

    /// The user's name and contacts, as the sheet for a new account shows them.
    struct Contact: Sendable {
        var email = "user@example.com"
        var phoneNumber = "+1 555 0100"
        var name = PersonNameComponents()
    }

    /// A security key with its connection.
    struct ConnectedKey: Sendable {
        let key: SimulatedSecurityKey
        let transport: SimulatedASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport
    }

    private struct State {
        var flows: [AuthorizationFlow] = []
        /// The domains of apps with a list of their own; another app is associated with every domain.
        var domains: [String: Set<String>] = [:]
        var passwords: [SavedPassword] = []
        /// The time of the last sign-in with each saved password.
        var passwordSignIns: [SavedPassword: Duration] = [:]
        var contact = Contact()
        var keys: [SimulatedSecurityKey] = []
        var connected: ConnectedKey?
        var nearby: Phone?
        var choices: [(choice: SignInChoice, place: CodePlace)] = []
        var mistakes: [String] = []
        var refusal: Cause?
    }

    private let state = Mutex(State())

    /// The longest time for which a sign-in with a password is recent; Apple states none.
    static let recency = Duration.seconds(300)

    // MARK: Requests

    /// Begins requests, unless other ones of the app are in progress.
    func begin(_ flow: AuthorizationFlow) -> Bool {
        state.withLock { state in
            let isFree = !state.flows.contains { $0.ceremony.app == flow.ceremony.app && !$0.hasEnded }
            state.flows.append(flow)
            return isFree
        }
    }

    func end(_ flow: AuthorizationFlow) { state.withLock { $0.flows.removeAll { $0 === flow } } }

    /// The next requests whose result is still to come, or to be reported.
    var unfinished: AuthorizationFlow? { state.withLock { $0.flows }.first(where: \.isUnfinished) }

    /// The requests that wait for the user to pick a suggestion.
    var waiting: AuthorizationFlow? { state.withLock { $0.flows }.first(where: \.isWaiting) }

    /// Ends the requests of apps that have stopped.
    func endStoppedApps(of device: SimulatedDevice) {
        let apps = device.lifeState.apps
        for flow in state.withLock({ $0.flows }) where apps[flow.ceremony.app]?.isRunning != true { flow.stop() }
    }

    /// Ends the requests that wait for the user at fields; their apps hear nothing any more.
    func forgetSuggestions() {
        let waiting = state.withLock { state in
            let waiting = state.flows.filter { $0.style.isAssisted && !$0.hasEnded }
            state.flows.removeAll { flow in waiting.contains { $0 === flow } }
            return waiting
        }
        for flow in waiting { flow.abandon() }
    }

    /// Takes what belongs to the user and the apps from the desk of a phone that is replaced, which forgets it.
    func take(from other: AuthorizationDesk) {
        let old = other.state.withLock { old in
            defer { (old.passwords, old.passwordSignIns, old.domains, old.contact) = ([], [:], [:], Contact()) }
            return old
        }
        state.withLock { state in
            state.domains.merge(old.domains) { own, _ in own }
            state.contact = old.contact
            for password in old.passwords where !state.passwords.contains(where: password.isOfSameAccount) {
                state.passwords.append(password)
            }
        }
    }

    // MARK: Domains and passwords

    func associate(_ app: String, with domains: Set<String>) { state.withLock { $0.domains[app] = domains } }

    func isAssociated(_ app: String, with domain: String) -> Bool {
        state.withLock { $0.domains[app]?.contains(domain) ?? true }
    }

    func save(_ password: SavedPassword) {
        state.withLock { state in
            state.passwords.removeAll(where: password.isOfSameAccount)
            state.passwords.append(password)
        }
    }

    func removePassword(of account: String, at domain: String) {
        state.withLock { $0.passwords.removeAll { $0.domain == domain && $0.account == account } }
    }

    var passwords: [SavedPassword] { state.withLock { $0.passwords } }

    func noteSignIn(with password: SavedPassword, at time: Duration) {
        state.withLock { $0.passwordSignIns[password] = time }
    }

    /// Whether the user signed in with the account's saved password a short time ago.
    func hasSignedIn(_ account: String, at domain: String, now: Duration) -> Bool {
        state.withLock { state in
            state.passwordSignIns.contains { password, time in
                password.account == account && password.domain == domain && now - time <= Self.recency
            }
        }
    }

    var contact: Contact {
        get { state.withLock { $0.contact } }
        set { state.withLock { $0.contact = newValue } }
    }

    // MARK: Devices

    func add(_ key: SimulatedSecurityKey) { state.withLock { $0.keys.append(key) } }

    func owns(_ key: SimulatedSecurityKey) -> Bool { state.withLock { $0.keys.contains { $0 === key } } }

    var connected: ConnectedKey? {
        get { state.withLock { $0.connected } }
        set { state.withLock { $0.connected = newValue } }
    }

    var nearby: Phone? {
        get { state.withLock { $0.nearby } }
        set { state.withLock { $0.nearby = newValue } }
    }

    // MARK: The user

    func plan(_ choice: SignInChoice, at place: CodePlace) { state.withLock { $0.choices.append((choice, place)) } }

    func takeChoice() -> (choice: SignInChoice, place: CodePlace)? {
        state.withLock { $0.choices.isEmpty ? nil : $0.choices.removeFirst() }
    }

    func note(mistake: String) { state.withLock { $0.mistakes.append(mistake) } }

    /// Forgets the user's plans, and returns a sentence for each part of them without an effect.
    func takeMistakes() -> [String] {
        let (mistakes, keys) = state.withLock { state in
            defer { (state.choices, state.mistakes) = ([], []) }
            return (
                state.mistakes
                    + state.choices.map {
                        "\($0.place): no sheet opened to pick \($0.choice); perform a request, or remove the choice"
                    }, state.keys
            )
        }
        return mistakes + keys.flatMap { $0.takeMistakes() }
    }

    // MARK: Refusals

    /// Notes why a device refuses a command.
    func hear(_ event: AuthenticatorEvent) {
        guard case .answer(_, _, let refusal?) = event.kind else { return }
        state.withLock { $0.refusal = refusal.cause }
    }

    func takeRefusal() -> Cause? {
        state.withLock { state in
            defer { state.refusal = nil }
            return state.refusal
        }
    }
}
