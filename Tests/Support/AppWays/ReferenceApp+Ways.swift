package import ReferenceApp

extension ReferenceApp {
    /// Whether the user is not stuck: a session is open, or a tap, or two, begin a login.
    package func hasWay(at now: Duration) -> Bool {
        if session != nil { return !offers.isEmpty }
        if offers.contains(where: \.leadsToSession) { return true }
        return offers.contains { button in
            var later = self
            _ = later.handle(.tapped(button), at: now)
            return later.offers.contains { $0.leadsToSession }
        }
    }
}

extension AppButton {
    /// Whether it begins a login, so that its screen does not lock the user out.
    package var leadsToSession: Bool {
        switch self {
        case .bankID, .vipps, .passwordLogin, .emailLogin, .passkey, .logIn, .forgotPassword, .savePassword,
            .sendCode, .verifyCode, .approve, .useProvider, .usePassword:
            true
        default: false
        }
    }
}
