/// The check of the user with the sensor, in the three styles: at the unlock and at a step-up.
extension ReferenceApp {
    /// Asks the user for a match, which opens the session's item.
    mutating func checkUser(for purpose: Purpose) {
        failures = 0
        self.purpose = purpose
        decisions.insert(.style)
        switch settings.style {
        case .booleanGate: perform(.verifyUser)
        case .domainState: perform(.compareEnrolment)
        // Reading is the prompt: without the sensor's match there is no key.
        case .boundKey: perform(.read(.biometricSession))
        }
    }

    mutating func enrolmentCompared(_ isSame: Bool) {
        guard purpose == .unlock || purpose == .stepUp else { return }
        if isSame { perform(.verifyUser) } else { sensorFailed(.templatesChanged) }
    }

    mutating func openedBySensor(_ reading: ItemReading) {
        guard let purpose, purpose != .enrolment else { return }
        switch reading {
        case .value(let text):
            guard let stored = AppSession(stored: text) else { return sensorFailed(.itemMissing) }
            self.purpose = nil
            failures = 0
            if purpose == .unlock { unlocked(stored) } else { provedForStepUp(stored) }
        case .trouble(let trouble): sensorFailed(counted(trouble) ?? trouble)
        }
    }

    /// Ends the check without a match; changed templates end the session at every use of the sensor.
    mutating func sensorFailed(_ trouble: SensorTrouble) {
        let failed = purpose
        purpose = nil
        if trouble == .templatesChanged || trouble == .itemMissing { return endSession(trouble.message) }
        if failed == .stepUp { stepUpFailed(trouble) } else { unlockFailed(trouble) }
    }
}
