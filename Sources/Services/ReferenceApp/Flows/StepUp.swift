/// An action that needs the user again, within a session.
enum ProtectedAction: Hashable, Sendable {
    case personalData
    case expenseClaim(amount: Int, key: String)
}

/// The check of the user before protected data are shown or sent, on the device and at the server.
extension ReferenceApp {
    /// Asks for the biometric, or for the password where biometric login is not enabled and the account has one.
    ///
    /// - Parameter isRepeated: whether the server did not accept the proof before.
    mutating func begin(_ action: ProtectedAction, isRepeated: Bool = false) {
        (protectedAction, isStepUpRepeated) = (action, isRepeated)
        if preferences.hasBiometrics {
            promptForStepUp()
        } else if hasPassword {
            show(.stepUpPassword)
        } else {
            showHome(mayEnableBiometrics ? .enableFirst : policy == .forbidden ? .biometricsForbidden : .noSensor)
        }
    }

    mutating func submitClaim() {
        // The field is in kroner, the service counts in øre.
        guard let kroner = fields[.amount].flatMap(Double.init), (0.01...1_000_000).contains(kroner) else { return }
        let amount = Int((kroner * 100).rounded())
        // The answer to the same claim may have been lost: its key lets the server recognise it.
        let key = unansweredClaim.flatMap { $0.amount == amount ? $0.key : nil } ?? LoginAttempt.base64URL(random(12))
        unansweredClaim = (amount, key)
        begin(.expenseClaim(amount: amount, key: key))
    }

    mutating func promptForStepUp() {
        show(.stepUp)
        checkUser(for: .stepUp)
    }

    /// Whether the user can confirm a step-up with a password.
    var hasPassword: Bool { session?.user.hasPassword ?? false }

    mutating func stepUpFailed(_ trouble: SensorTrouble) {
        if screen == .stepUp { show(.stepUp, trouble.message) }
    }

    /// Sends the refresh token of the guarded item, which proves the match to the server; the access token proves nothing.
    mutating func provedForStepUp(_ stored: AppSession) {
        guard screen == .stepUp, let session, stored.user.id == session.user.id else { return }
        let proof = AppRequest.stepUp(.guardedToken(stored.refreshToken), accessToken: session.accessToken)
        guard protectedAction == .personalData, !hasEnded, let details = openedDetails(stored) else {
            return ask(proof, from: .stepUp)
        }
        // The match shows the kept data at once; the server's follow.
        show(.personalData, isOnline ? .keptData : .offline)
        revealed = details
        if isOnline, !hasAccessEnded { wait(for: proof) } else { stayWithKeptData() }
    }

    /// Leaves the kept data on the screen, because the server gives none.
    private mutating func stayWithKeptData() {
        (message, protectedAction) = (isOnline ? .savedData : .offline, nil)
    }

    mutating func confirmWithPassword() {
        guard let session, let password = fields[.password], !password.isEmpty else { return }
        ask(.stepUp(.password(password), accessToken: session.accessToken), from: .stepUpPassword)
    }

    mutating func stepUpAnswered(_ proof: StepUpProof, _ answer: AppAnswer) {
        fields[.password] = nil
        if answer.isSuccess { return performProtectedAction() }
        if answer.isUnauthorized { return protectedActionFailed(answer) }
        switch proof {
        case .password: show(.stepUpPassword, passwordProblem(answer))
        case .guardedToken where answer.isOutage && screen == .personalData: stayWithKeptData()
        case .guardedToken: show(.stepUp, answer.isOutage ? outageMessage : .stepUpRefused)
        }
    }

    private mutating func performProtectedAction() {
        guard let session, let protectedAction else { return showHome() }
        switch protectedAction {
        case .personalData where screen == .personalData:
            wait(for: .personalData(accessToken: session.accessToken))
        case .personalData: ask(.personalData(accessToken: session.accessToken), from: session.user.role.home)
        case .expenseClaim(let amount, let key):
            ask(
                .expenseClaim(amount: amount, key: key, accessToken: session.accessToken), from: .expenseClaim)
        }
    }

    mutating func personalDataLoaded(_ answer: AppAnswer) {
        guard session != nil else { return }
        if answer.isOutage, screen == .personalData { return stayWithKeptData() }
        guard let data = answer.value(RevealedData.self) else { return protectedActionFailed(answer) }
        protectedAction = nil
        show(.personalData)
        revealed = data.lines
        seal(data.lines)
    }

    mutating func claimSent(_ answer: AppAnswer) {
        guard session != nil else { return }
        guard answer.isSuccess else { return protectedActionFailed(answer) }
        (fields[.amount], protectedAction, unansweredClaim) = (nil, nil, nil)
        show(.expenseClaim, .claimSent)
    }

    private mutating func protectedActionFailed(_ answer: AppAnswer) {
        if answer.isUnauthorized {
            accessRefused()
            if self.session != nil { showHome() }
        } else if answer.code == "step_up_required", !isStepUpRepeated, let protectedAction {
            // The proof was too old for the operation.
            begin(protectedAction, isRepeated: true)
        } else {
            showHome(isOnline ? .serviceUnavailable : .offline)
        }
    }
}
