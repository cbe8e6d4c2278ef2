internal import Biometrics
internal import CTAP
package import DeviceProfiles
internal import VirtualAuthenticator
internal import Wording

/// The acts that prompts of a device can ask for.
///
/// Any other act would wait for a prompt that never opens, or have no effect at the next one.
package struct PossibleActs: Sendable {
    private let gate: UserVerificationGate?
    private let hasCredential: Bool
    private let lacksCredentialNow: Bool
    /// Whether every prompt verifies the user, so that none asks for a touch.
    private let alwaysVerifies: Bool
    private let enrols: Bool
    private let asksForLongTouch: Bool
    /// The most accounts that one relying party has on the device; nil when they are unknown.
    private let accounts: Int?

    /// The acts for devices of a kind.
    ///
    /// - Parameter keepsVerification: whether the devices keep the means of verification of a new one; by default anything
    ///   can happen to them.
    package init(_ profile: DeviceProfile, keepsVerification: Bool = false) {
        self.init(
            profile, gate: profile.gate, lacksCredentialNow: false,
            alwaysVerifies: keepsVerification && profile.gate?.isConfigured == true)
    }

    /// The acts for a device in its present state.
    package init(_ device: SimulatedDevice) async {
        let snapshot = await device.authenticator.snapshot()
        let accounts = Dictionary(grouping: snapshot.credentials, by: \.relyingPartyID).values.map(\.count).max()
        self.init(
            device.profile, gate: snapshot.gate, lacksCredentialNow: snapshot.gate?.deviceCredential == nil,
            alwaysVerifies: snapshot.gate?.isConfigured == true, accounts: accounts ?? 0)
    }

    private init(
        _ profile: DeviceProfile, gate: UserVerificationGate?, lacksCredentialNow: Bool, alwaysVerifies: Bool,
        accounts: Int? = nil
    ) {
        let management = profile.authenticator.management
        self.gate = gate
        // A phone or computer gets a passcode in its settings.
        hasCredential = gate != nil && (profile.deviceCredential != nil || profile.authenticator.isPlatform)
        self.lacksCredentialNow = lacksCredentialNow
        // A security key also asks for a touch where no verification is requested.
        self.alwaysVerifies = alwaysVerifies && profile.authenticator.isPlatform
        enrols = management.bioEnrollment != nil
        asksForLongTouch = management.configSubcommands.contains(.enableLongTouchForReset)
        self.accounts = accounts
    }

    /// The reason why no prompt asks for an act, with the device as its subject; nil for a possible act.
    package func obstacle(to act: UserAct) -> String? {
        switch act {
        case .touch:
            alwaysVerifies && !hasSensor(.fingerprint)
                ? "verifies its user with \(verificationWords), and no prompt asks for a touch" : nil
        case .touchBriefly: asksForLongTouch || enrols ? nil : "asks for no long touch; a short one is a touch"
        case .choose(let index): obstacleToChoosing(index)
        case .sample: enrols ? nil : "enrols no fingers during a prompt"
        case .gate(let act): obstacle(to: act)
        }
    }

    /// The words of the possible acts, a kind with many words as one.
    package var words: [String] {
        let possible = UserAct.vocabulary.filter { obstacle(to: $0.act) == nil }.map(\.word)
        var words = possible.filter { !$0.contains(":") }
        if possible.contains(where: { $0.hasPrefix("bad-capture:") }) { words.append("bad-capture:HINT") }
        if possible.contains(where: { $0.hasPrefix("sensor-error:") }) { words.append("sensor-error:ERROR") }
        if possible.contains(where: { $0.hasPrefix("sample:") }) { words.append("sample:STATUS") }
        if obstacleToChoosing(0) == nil { words.append("choose:N") }
        return words
    }

    private func obstacleToChoosing(_ index: Int) -> String? {
        guard let accounts, index >= accounts || accounts < 2 else { return nil }
        return accounts < 2
            ? "has \(accounts == 0 ? "no account" : "one account at most") at a relying party, and no prompt offers a choice"
            : "has no more than \(accounts) accounts at a relying party; choose:1 to choose:\(accounts) are possible"
    }

    private func obstacle(to act: GateAct) -> String? {
        switch act {
        case .cancelByUser, .cancelBySystem, .leaveScreen, .cancelByApp, .noAnswer: return nil
        case .powerButton: return gate == nil ? "verifies no user, so its prompts ask for a touch only" : nil
        case .sample(.inattentiveMatch, let modality):
            if let obstacle = obstacleAtSensor(modality) { return obstacle }
            return (modality ?? .face) == .face && hasSensor(.face) ? nil : "demands attention of a face only"
        case .sample(.badCapture(let hint), let modality):
            if let modality, let own = hint.modality, own != modality {
                return "reports \(hint.word) at the \(own.rawValue) sensor only"
            }
            return obstacleAtSensor(modality ?? hint.modality)
        case .sample(_, let modality): return obstacleAtSensor(modality)
        case .sensorError: return obstacleAtSensor(nil)
        case .confirm, .declineConfirmation:
            let confirms = gate.map { gate in
                gate.policy.confirmation != .never && gate.sensors.contains(where: \.modality.isPassive)
            }
            return confirms == true ? nil : "asks for no confirmation of a match"
        case .tryAgain:
            let pauses = gate.map { gate in
                gate.policy.passiveSensorsPause && gate.sensors.contains(where: \.modality.isPassive)
            }
            return pauses == true ? nil : "has no sensor that pauses after a failure"
        case .fallback: return gate?.policy.fallbackOfferedAfter == nil ? "offers no fallback" : nil
        case .passcode: return obstacleToCredential
        case .challengePhrase:
            guard gate?.policy.credentialLockout?.challengeAfter != nil else { return "asks for no challenge phrase" }
            return obstacleToCredential
        case .giveUp:
            let stops = gate.map { $0.policy.fallbackOfferedAfter != nil } ?? false
            return stops || obstacleToCredential == nil ? nil : "asks for nothing that the user can give up"
        }
    }

    private var verificationWords: String {
        let sensors = gate?.sensors.map { "a \($0.modality.rawValue)" } ?? []
        return (sensors + (hasCredential ? ["a passcode"] : [])).joined(separator: " or ")
    }

    private var obstacleToCredential: String? {
        guard hasCredential else { return "has no passcode" }
        return lacksCredentialNow ? "has no passcode now; set one first, with the act passcode" : nil
    }

    private func hasSensor(_ modality: BiometricModality) -> Bool {
        gate?.sensors.contains { $0.modality == modality } ?? false
    }

    private func obstacleAtSensor(_ modality: BiometricModality?) -> String? {
        let sensors = gate?.sensors.map(\.modality.rawValue) ?? []
        guard !sensors.isEmpty else { return "has no sensor" }
        guard let modality, !hasSensor(modality) else { return nil }
        return "has no \(modality.rawValue) sensor; it has \(sensors.joined(separator: ", "))"
    }
}
