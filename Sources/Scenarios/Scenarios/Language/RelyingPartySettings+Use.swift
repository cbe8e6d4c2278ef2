internal import DeviceProfiles
internal import Documents
internal import RelyingParty
internal import RelyingPartyServer
internal import VirtualAuthenticator
internal import WebAuthn

extension RelyingPartySettings {
    /// The errors of keys that no step uses.
    ///
    /// - Parameter profiles: the devices' profiles, by the devices' names.
    func mistakes(_ steps: [ScenarioStep], _ profiles: [String: DeviceProfile]) -> [SourceError] {
        Key.allCases.compactMap { key in
            guard let place = places[key], !isUsual(key), !steps.contains(where: { uses(key, $0, profiles) }) else {
                return nil
            }
            return place.error("no step uses \(key.rawValue): it needs \(key.use); add one, or remove \(key.rawValue)")
        }
    }

    /// Whether a key has the relying party's own value, which needs no use.
    private func isUsual(_ key: Key) -> Bool {
        let usual = RelyingPartyConfiguration()
        var own = usual
        apply(to: &own)
        return switch key {
        case .roaming: own.roamingAllowed == usual.roamingAllowed
        case .level: own.level == usual.level
        case .userVerification: signInVerification == .preferred
        case .mostPasskeys: own.maximumPasskeys == usual.maximumPasskeys
        case .removal: own.removal == usual.removal
        case .origins: origins.isEmpty
        }
    }

    private func uses(_ key: Key, _ step: ScenarioStep, _ profiles: [String: DeviceProfile]) -> Bool {
        switch step.action {
        // A request can be each of these.
        case .site(.request): true
        case .site(.deletePasskey): key == .removal
        case .app: step.taps != nil && key != .roaming && key != .origins
        case .page(.conditionalRequest), .page(.pick): key == .userVerification || key == .level
        case .ceremony(let ceremony):
            switch key {
            case .roaming:
                ceremony.kind == .register && step.device.flatMap { profiles[$0] }?.authenticator.isPlatform == false
            case .level: true
            case .userVerification: ceremony.kind == .signIn
            case .mostPasskeys: ceremony.kind == .register
            case .removal: false
            case .origins: ceremony.isFromApp || ceremony.origin.map(origins.contains) == true
            }
        case .site, .service, .page, .device, .wait, .setClockBack, .check: false
        }
    }
}

extension RelyingPartySettings.Key {
    /// The step that uses it.
    fileprivate var use: String {
        switch self {
        case .roaming: "a register at a security key"
        case .level: "a ceremony"
        case .userVerification: "a sign-in"
        case .mostPasskeys: "a register"
        case .removal: "a delete-passkey"
        case .origins: "a ceremony with caller: app, or with one of these as origin"
        }
    }
}
