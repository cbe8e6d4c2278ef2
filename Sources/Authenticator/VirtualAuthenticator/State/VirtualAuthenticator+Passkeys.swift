public import Biometrics
public import CTAP

/// The operations of a passkey provider, which copies credentials between devices.
extension VirtualAuthenticator {
    /// A credential with its private key, for another device; nil for an unknown ID.
    public func exportCredential(_ id: [UInt8]) -> StoredCredential? { state.credentials.credential(id) }

    /// Stores a credential made by another device; it replaces the account's earlier one.
    ///
    /// - Returns: whether it fitted.
    @discardableResult
    public func importCredential(_ credential: StoredCredential) -> Bool { importCredentials([credential]) }

    /// Stores credentials made by another device, or none if they do not fit; each replaces its account's earlier one.
    ///
    /// - Returns: whether they fitted.
    @discardableResult
    public func importCredentials(_ credentials: [StoredCredential]) -> Bool {
        let added = credentials.count { credential in
            state.credentials.credential(credential.id) == nil
                && !state.credentials.hasAccount(credential.user.id, at: credential.relyingPartyID)
        }
        guard added <= remainingDiscoverableCredentials else { return false }
        for credential in credentials {
            // Remove its earlier version first: an index holds each credential once.
            state.credentials.remove(credential.id)
            state.credentials.keep(credential)
        }
        renewCredentialStoreState()
        commitOutsideCommand()
        return true
    }

    /// Changes the names of a credential's account.
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

    /// Sets BS of new credentials; nil restores the model's own.
    ///
    /// - Parameters:
    ///   - isBackedUp: BS, or nil for the model's own.
    ///   - isConsistent: whether a credential without BE stays without BS (WebAuthn L3 §6.1.3).
    public func setBackupState(ofNewCredentials isBackedUp: Bool?, isConsistent: Bool = true) {
        newCredentialsBackedUp = isBackedUp
        newCredentialsAreConsistent = isConsistent
    }

    /// Sets how long a new credential stays hidden from sign-in, as with a provider that lists it late.
    public func setArrivalDelay(_ delay: Duration) { arrivalDelay = delay }

    /// The user-verification gate; nil for a device without one.
    public var gate: UserVerificationGate? { state.gate }

    /// Ends the prompt at the gate with `act`, if one is open.
    ///
    /// - Returns: whether a prompt was open.
    @discardableResult
    public func endPrompt(_ act: GateAct) -> Bool {
        guard state.gate?.stage ?? .idle != .idle else { return false }
        _ = try? changeGate { gate, now in gate.present(act, at: now) }
        return true
    }
}

extension VirtualAuthenticator {
    /// The discoverable credentials of a relying party that a sign-in finds now, in its order.
    package func offeredCredentials(of relyingPartyID: String) -> [StoredCredential] {
        state.credentials.ids(of: relyingPartyID, userVerified: true).filter { hasArrived($0) }
            .compactMap(state.credentials.credential)
    }

    func delayArrival(of id: [UInt8]) {
        guard arrivalDelay > .zero else { return }
        arrivals = arrivals.filter { $0.value > now }
        arrivals[id] = now + arrivalDelay
    }

    func hasArrived(_ id: [UInt8]) -> Bool { arrivals.isEmpty || arrivals[id].map { $0 <= now } ?? true }
}
