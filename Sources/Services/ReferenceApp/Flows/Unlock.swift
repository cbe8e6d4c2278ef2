/// Biometric unlock of a kept session.
extension ReferenceApp {
    /// Shows the prompt at once, by the style of the app.
    mutating func promptForUnlock() {
        show(.unlock)
        checkUser(for: .unlock)
    }

    mutating func unlocked(_ stored: AppSession) {
        guard screen == .unlock else { return }
        session = stored
        // Home shows saved data at once; the new tokens and live data follow.
        if isOnline { refresh() }
        showHome()
    }

    /// Shows the user's ways on when the sensor does not verify them; every way leads to a session.
    mutating func unlockFailed(_ trouble: SensorTrouble) {
        switch trouble {
        case .cancelled: show(.unlock, trouble.message)
        case .noSensor: show(.passwordLogin, trouble.message)
        case .notEnrolled, .off, .blockedForNow, .blocked, .broken, .tooWeak, .needsPasscode, .attemptsUsed,
            .templatesChanged,
            .itemMissing:
            showProviderSelection(trouble.message)
        }
    }
}
