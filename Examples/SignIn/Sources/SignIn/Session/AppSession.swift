public import Foundation

/// A way to sign in, besides the unlock.
public enum SignInWay: String, CaseIterable, Sendable {
    /// A passkey.
    case passkey
    /// The BankID app.
    case bankID
    /// The Vipps app.
    case vipps
    /// The password of the account.
    case password
}

/// A screen of the app.
public enum Screen: Equatable, Sendable {
    /// The ways to sign in, empty without the network, and the reason why the unlock is not among them.
    case signIn([SignInWay], UnlockObstacle?)
    /// The locked session, with a button that asks again, and the tries that are left after a failed one.
    case locked(triesLeft: Int?)
    /// The open session.
    case home
}

/// The app's session, from the launch to the sign-out.
@MainActor
public final class AppSession {
    /// An absence of this length locks the session.
    public static let longestAbsence = Duration.seconds(300)

    /// The screen that the app shows.
    public private(set) var screen = Screen.signIn([], nil)
    /// The session's token; nil while the session is locked.
    public private(set) var token: Data?
    /// The unlock with a face or a finger.
    public let unlock: SessionUnlock
    private let settings: AppSettings
    private let vault: TokenVault
    private let now: () -> Duration
    private let isOnline: () -> Bool
    private var leftAt: Duration?
    private var asksOnReturn = false

    /// The session at the app's start; ``launch()`` shows the first screen.
    ///
    /// - Parameters:
    ///   - now: the time since the device was switched on; it also advances while the app is suspended.
    ///   - isOnline: whether the network is available.
    public init(
        unlock: SessionUnlock, settings: AppSettings, vault: TokenVault, now: @escaping () -> Duration,
        isOnline: @escaping () -> Bool
    ) {
        (self.unlock, self.settings, self.vault) = (unlock, settings, vault)
        (self.now, self.isOnline) = (now, isOnline)
    }

    /// The app starts.
    public func launch() async throws {
        if !settings.hasLaunched {
            try vault.removeEverything()
            settings.hasLaunched = true
        }
        if unlock.isOn { await ask() } else { showWays(nil) }
    }

    /// The user signed in at the server.
    public func signedIn(_ account: String, token: Data) throws {
        if let earlier = settings.account, earlier != account { try unlock.switchOff() }
        settings.account = account
        self.token = token
        unlock.forgetFailures()
        screen = .home
    }

    /// The account of the session; nil for a user who is not signed in.
    public var account: String? { token == nil ? nil : settings.account }

    /// Whether the app offers the unlock after a sign-in.
    public var offersUnlock: Bool { screen == .home && !unlock.isOn && unlock.obstacle == nil }

    /// The user accepts the offer, or switches the unlock on in the app's settings.
    public func switchUnlockOn() async throws {
        guard let token, let account = settings.account else { throw UnlockObstacle.off }
        try await unlock.switchOn(token: token, account: account)
    }

    /// The user signs out.
    public func signOut() throws {
        try unlock.switchOff()
        settings.account = nil
        token = nil
        showWays(nil)
    }

    /// The server has ended the session; an open prompt must not open it.
    public func ended() throws {
        unlock.cancel()
        try signOut()
    }

    /// The app leaves the screen.
    public func didEnterBackground() { leftAt = now() }

    /// The app is back on the screen.
    public func willEnterForeground() async {
        let absence = leftAt.map { now() - $0 } ?? .zero
        leftAt = nil
        let isExpired = screen == .home && unlock.isOn && absence >= Self.longestAbsence
        guard isExpired || asksOnReturn else { return }
        await ask()
    }

    /// Asks for a face or a finger, as at the launch and when the user presses the button.
    ///
    /// It returns at once while a prompt is open, because a second prompt would end the first.
    public func ask() async {
        guard !unlock.isPrompting else { return }
        token = nil
        asksOnReturn = false
        screen = .locked(triesLeft: nil)
        switch await unlock.unlock() {
        case .unlocked(let token): (self.token, screen) = (token, .home)
        case .again(let triesLeft): screen = .locked(triesLeft: triesLeft)
        case .cancelled: break
        case .interrupted: asksOnReturn = true
        case .otherWays(let obstacle): showWays(obstacle)
        }
    }

    private func showWays(_ obstacle: UnlockObstacle?) {
        screen = .signIn(isOnline() ? SignInWay.allCases : [], obstacle)
    }
}
