public import Biometrics
public import CTAP

/// The operations of a passkey provider, which copies credentials between devices.
extension VirtualAuthenticator {
    /// A credential with its private key, for another device; nil when there is none with this ID.
    public func exportCredential(_ id: [UInt8]) -> StoredCredential? { state.credentials.credential(id) }

    /// Keeps a credential that another device made, in place of the one its account has here.
    ///
    /// - Returns: whether there was room.
    @discardableResult
    public func importCredential(_ credential: StoredCredential) -> Bool { importCredentials([credential]) }

    /// Keeps credentials that another device made, each in place of the one its account has here: all of them or, where
    /// there is no room, none.
    ///
    /// - Returns: whether there was room.
    @discardableResult
    public func importCredentials(_ credentials: [StoredCredential]) -> Bool {
        let added = credentials.count { credential in
            state.credentials.credential(credential.id) == nil
                && !state.credentials.hasAccount(credential.user.id, at: credential.relyingPartyID)
        }
        guard added <= remainingDiscoverableCredentials else { return false }
        for credential in credentials {
            // Its former self first: the shelves hold each credential once.
            state.credentials.remove(credential.id)
            state.credentials.keep(credential)
        }
        renewCredentialStoreState()
        commitOutsideCommand()
        return true
    }

    /// Changes what a credential's account is called.
    ///
    /// - Returns: whether the credential exists.
    @discardableResult
    public func renameUser(of id: [UInt8], to user: PublicKeyCredentialUserEntity) -> Bool {
        guard state.credentials.credential(id) != nil else { return false }
        state.credentials.setUser(user, id: id)
        renewCredentialStoreState()
        commitOutsideCommand()
        return true
    }

    /// Says what BS new credentials get, where that is not the model's own; nil gives it back to the model.
    public func setBackupState(ofNewCredentials isBackedUp: Bool?) { newCredentialsBackedUp = isBackedUp }

    /// Says how long a new credential stays hidden from sign-in, as a provider's does that is late to list it.
    public func setArrivalDelay(_ delay: Duration) { arrivalDelay = delay }

    /// The user-verification gate; nil for a device without one.
    public var gate: UserVerificationGate? { state.gate }

    /// Ends the prompt at the gate, if one is up, the way `act` does.
    ///
    /// - Returns: whether it existed.
    @discardableResult
    public func endPrompt(_ act: GateAct) -> Bool {
        guard state.gate?.stage ?? .idle != .idle else { return false }
        _ = try? changeGate { gate, now in gate.present(act, at: now) }
        return true
    }
}

extension VirtualAuthenticator {
    /// Hides a credential that was just made for as long as new ones are late.
    func delayArrival(of id: [UInt8]) {
        guard arrivalDelay > .zero else { return }
        arrivals = arrivals.filter { $0.value > now }
        arrivals[id] = now + arrivalDelay
    }

    /// Whether sign-in can find a credential by now.
    func hasArrived(_ id: [UInt8]) -> Bool { arrivals.isEmpty || arrivals[id].map { $0 <= now } ?? true }
}
