public import Biometrics

/// An authenticator's state at one moment, for status displays and the checks of scenarios.
public struct AuthenticatorSnapshot: Sendable {
    /// The discoverable credentials, oldest first.
    public let credentials: [StoredCredential]
    /// Whether a client PIN is set.
    public let isPINSet: Bool
    /// Wrong PINs left.
    public let pinRetries: Int
    /// Whether PINs are refused until a power cycle.
    public let needsPowerCycle: Bool
    /// Built-in attempts left.
    public let uvRetries: Int
    /// Sensor, templates and lockouts.
    public let gate: UserVerificationGate?
    /// The lockout in force.
    public let lockout: Lockout?
    /// The time since power-up.
    public let uptime: Duration
}

extension VirtualAuthenticator {
    /// The device's state at this moment.
    public func snapshot() -> AuthenticatorSnapshot {
        AuthenticatorSnapshot(
            credentials: state.credentials.discoverable.map(withCounter), isPINSet: state.pin.isSet,
            pinRetries: state.pin.retries, needsPowerCycle: state.pin.isSoftBlocked, uvRetries: uvRetries,
            gate: state.gate, lockout: state.gate?.lockout(at: now), uptime: max(.zero, now - state.poweredUpAt))
    }

    /// A credential with the counter its next signature follows.
    func withCounter(_ credential: StoredCredential) -> StoredCredential {
        var credential = credential
        switch credential.ownCounter ?? configuration.counterMode {
        case .none: credential.signCount = 0
        case .perCredential where credential.ownCounter == nil:
            credential.signCount = max(credential.signCount, configuration.initialSignatureCounter)
        case .perCredential, .timestamp: break
        case .global: credential.signCount = state.globalCounter
        }
        return credential
    }

    /// Deletes a credential on the device; the relying party is not informed.
    ///
    /// - Returns: whether it existed.
    @discardableResult
    public func removeCredential(_ id: [UInt8]) -> Bool {
        guard state.credentials.remove(id) else { return false }
        renewCredentialStoreState()
        commitOutsideCommand()
        return true
    }

    /// The device erases itself after too many wrong passcodes, and its passkeys with everything else.
    func eraseCredentials() {
        for credential in state.credentials.all { state.credentials.remove(credential.id) }
        renewCredentialStoreState()
    }
}
