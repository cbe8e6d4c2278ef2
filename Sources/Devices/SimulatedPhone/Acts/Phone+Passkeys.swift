internal import SimulatedDevice

/// The passkeys on the phone, as its settings show them.
///
/// Each act throws ``PhoneRefusal`` when the phone refuses it, and when it has no effect in the phone's state.
extension Phone {
    /// Deletes passkeys; their relying parties are not notified.
    ///
    /// - Parameters:
    ///   - account: the name of the account; nil for all.
    ///   - relyingParty: the RP ID; nil for all.
    ///   - everywhere: true for all devices that synchronize the passkeys, false for this phone only.
    public func forgetPasskeys(
        account: String? = nil, relyingParty: String? = nil, everywhere: Bool = false
    ) throws {
        try perform(
            "forget-passkey",
            ["account": account, "relying-party": relyingParty, "where": everywhere ? "everywhere" : "here"])
    }

    /// Changes the account name of passkeys.
    public func renamePasskey(to name: String, account: String? = nil, relyingParty: String? = nil) throws {
        try perform("rename-passkey", ["to": name, "account": account, "relying-party": relyingParty])
    }

    /// Hides new passkeys from sign-in for a time, as some providers do; zero shows them at once.
    ///
    /// - Parameter span: the time in whole seconds, from 0 to 86,400.
    public func delayPasskeys(by span: Duration) throws {
        let (seconds, rest) = span.components
        guard rest == 0, seconds >= 0 else {
            throw PhoneRefusal("\(span) is not a number of whole seconds; give a number from 0 to 86400")
        }
        try perform("delay-passkey", ["seconds": "\(seconds)"])
    }

    /// Copies passkeys to another phone, as AirDrop does.
    ///
    /// Other threads must not use the other phone during the call.
    public func sharePasskeys(
        with other: Phone, account: String? = nil, relyingParty: String? = nil
    ) throws {
        let filter = PasskeyFilter(account: account, relyingPartyID: relyingParty)
        let isNew: Bool
        do {
            isNew = try wait { [device, other = other.device] in try await device.sharePasskeys(filter, with: other) }
        } catch {
            throw PhoneRefusal(error)
        }
        guard isNew else { throw PhoneRefusal("the other phone already has these passkeys; choose others") }
    }

    /// Whether the phone has a passkey of a relying party.
    public func hasPasskey(of relyingParty: String) -> Bool {
        executor.result { [device] in await device.hasPasskey(of: relyingParty) }
    }
}
