/// Enabling and disabling biometric login.
extension ReferenceApp {
    /// The stricter of the build's policy and the backend's.
    package var policy: AppSettings.Policy { settings.policy.stricter(preferences.policy ?? .optional) }

    package var mayEnableBiometrics: Bool { policy != .forbidden && settings.sensor != .none && session != nil }

    /// Shows the screen between a login and home: the offer of biometric login, at most once for a login.
    mutating func continueToHome() {
        decisions.insert(.policy)
        let isDue = !preferences.wasOfferedBiometrics || preferences.needsNewEnrolment
        if policy == .required, !preferences.hasBiometrics {
            show(.biometricsRequired, .biometricsRequired)
        } else if isDue, !preferences.hasBiometrics, mayEnableBiometrics {
            show(.enrolmentPrompt, .enrolmentPurpose)
        } else {
            showHome()
        }
    }

    mutating func skipEnrolment() {
        keep { ($0.wasOfferedBiometrics, $0.needsNewEnrolment) = (true, false) }
        showHome()
    }

    /// Verifies the user before the sensor becomes the key to the session.
    mutating func enrol() {
        origin = screen
        purpose = .enrolment
        failures = 0
        perform(.verifyUser)
    }

    mutating func verifiedForEnrolment(_ trouble: SensorTrouble?) {
        guard var session else { return }
        if let trouble { return enrolmentFailed(trouble) }
        // The organisation's rule may have come while the prompt was open.
        guard policy != .forbidden else { return showHome(.biometricsForbidden) }
        session.detailsKey = newDetailsKey()
        self.session = session
        isEnrolling = true
        decisions.insert(.style)
        if settings.style == .domainState {
            perform(.rememberEnrolment)
        } else {
            perform(.store(.biometricSession, session.stored, settings.style.access))
        }
    }

    /// Stores the guarded item; a guard that could not notice changed templates is none.
    mutating func enrolmentRemembered(_ trouble: SensorTrouble?) {
        guard isEnrolling, let session else { return }
        guard let trouble else {
            return perform(.store(.biometricSession, session.stored, settings.style.access))
        }
        isEnrolling = false
        if [.enrolmentPrompt, .settings, .biometricsRequired].contains(screen) { enrolmentFailed(trouble) }
    }

    mutating func stored(_ item: AppItem, _ trouble: SensorTrouble?) {
        guard item == .biometricSession, session != nil else { return }
        if preferences.hasBiometrics {
            // The kept tokens are used up; without room for the new ones, the next start asks for a login.
            guard trouble != nil else { return goOnAfterRefresh() }
            endBiometricSession()
            keep { ($0.hasBiometrics, $0.hasSession, $0.needsNewEnrolment) = (false, false, true) }
            return goOnAfterRefresh()
        }
        // The store of renewed tokens enrols nothing.
        guard isEnrolling else { return }
        isEnrolling = false
        guard [.enrolmentPrompt, .settings, .biometricsRequired].contains(screen) else { return }
        if let trouble { return enrolmentFailed(trouble) }
        // The unguarded copy would make the guard worthless.
        perform(.delete(.session))
        keep {
            ($0.hasBiometrics, $0.hasSession, $0.wasOfferedBiometrics) = (true, true, true)
            $0.needsNewEnrolment = false
        }
        if screen == .settings { showSettings() } else { showHome(.biometricsEnabled) }
    }

    private mutating func enrolmentFailed(_ trouble: SensorTrouble) {
        switch screen {
        case .settings, .biometricsRequired: show(screen, trouble.message)
        default:
            keep { ($0.wasOfferedBiometrics, $0.needsNewEnrolment) = (true, false) }
            showHome(trouble.message)
        }
    }

    /// Follows a policy that the backend has changed while the session is open.
    mutating func follow(_ new: OrganisationPolicy?) {
        guard let new else { return }
        keep { $0.policy = AppSettings.Policy(new) }
        if policy == .forbidden, preferences.hasBiometrics {
            // The running session goes on; the next start asks for a login.
            endBiometricSession()
            keep { ($0.hasBiometrics, $0.hasSession, $0.needsNewEnrolment) = (false, false, true) }
            if screen.isHome || screen == .settings { show(screen, .biometricsForbidden) }
        } else if policy == .required, !preferences.hasBiometrics, screen.isHome {
            show(.biometricsRequired, .biometricsRequired)
        }
    }

    mutating func showSettings() {
        guard settings.sensor != .none else { return show(.settings, .noSensor) }
        show(.settings, preferences.hasBiometrics ? .biometricsOn : .biometricsOff)
        if preferences.hasBiometrics { perform(.checkEnrolment) }
    }

    /// Switches biometric login off when its key is gone; the user can enable it again at once.
    mutating func enrolmentChecked(_ isIntact: Bool) {
        let isRenewal = isRenewalUnstored
        isRenewalUnstored = false
        guard preferences.hasBiometrics, let session else { return goOnAfterRefresh() }
        guard !isIntact else {
            if isRenewal { perform(.store(.biometricSession, session.stored, settings.style.access)) }
            return
        }
        endBiometricSession()
        keep { ($0.hasBiometrics, $0.hasSession, $0.needsNewEnrolment) = (false, false, true) }
        if screen == .working, buttonAfterRefresh != nil {
            buttonAfterRefresh = nil
            if origin.isHome { showHome(.templatesChanged) } else { show(origin, .templatesChanged) }
        } else if screen == .settings || screen.isHome {
            show(screen, .templatesChanged)
        }
    }

    /// Deletes the session's item in the same moment; the running session goes on, and the next start asks for a login.
    mutating func disableBiometrics() {
        endBiometricSession()
        keep { ($0.hasBiometrics, $0.hasSession) = (false, false) }
        show(.settings, .biometricsDisabled)
    }
}
