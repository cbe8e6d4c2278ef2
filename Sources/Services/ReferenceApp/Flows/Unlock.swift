/// Biometric unlock of a kept session, in the three styles.
extension ReferenceApp {
    /// Shows the prompt at once, by the style of the app.
    mutating func promptForUnlock() {
        failures = 0
        show(.unlock)
        purpose = .unlock
        switch settings.style {
        case .booleanGate: perform(.verifyUser)
        case .domainState: perform(.compareEnrolment)
        // Reading is the prompt: without the sensor's match there is no key.
        case .boundKey: perform(.read(.biometricSession))
        }
    }

    mutating func enrolmentCompared(_ isSame: Bool) {
        guard purpose == .unlock else { return }
        if isSame {
            perform(.verifyUser)
        } else {
            troubleAtUnlock(.templatesChanged)
        }
    }

    mutating func verifiedForUnlock(_ trouble: SensorTrouble?) {
        if let trouble { return troubleAtUnlock(trouble) }
        // The gate is a yes or no in the app's own code; the item itself is unguarded.
        perform(.read(.biometricSession))
    }

    mutating func openedByUnlock(_ reading: ItemReading) {
        guard screen == .unlock else { return }
        purpose = nil
        switch reading {
        case .value(let text):
            guard let stored = AppSession(stored: text) else { return troubleAtUnlock(.itemMissing) }
            failures = 0
            session = stored
            // Home shows saved data at once; the new tokens and live data follow.
            if isOnline { refresh() }
            showHome()
        case .trouble(let trouble): troubleAtUnlock(counted(trouble) ?? trouble)
        }
    }

    /// Shows the user's ways on when the sensor does not verify them; every way leads to a session.
    private mutating func troubleAtUnlock(_ trouble: SensorTrouble) {
        purpose = nil
        switch trouble {
        case .cancelled: show(.unlock, trouble.message)
        case .templatesChanged, .itemMissing: endSession(trouble.message)
        case .noSensor: show(.passwordLogin, trouble.message)
        case .notEnrolled, .off, .blockedForNow, .blocked, .broken, .needsPasscode, .attemptsUsed:
            showProviderSelection(trouble.message)
        }
    }
}
