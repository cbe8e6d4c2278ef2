internal import SimulatedDevice

/// The place of a phone, as its theft protection sees it.
public enum PhonePlace: String, Hashable, Sendable {
    /// Home, work, or another place where the phone is used often.
    case familiar
    /// Any other place.
    case away
}

/// The protection of a stolen phone whose passcode is known, and the phone that replaces another.
///
/// Each act throws ``PhoneRefusal`` when the phone refuses it, and when it has no effect in the phone's state.
extension Phone {
    /// Switches Stolen Device Protection (iOS) or Identity Check (Android) on or off.
    ///
    /// Away from familiar places the passcode then does not replace the sensor, and on iOS changes of the enrolled set and the
    /// passcode wait for an hour.
    public func setTheftProtection(_ isOn: Bool) throws {
        try perform("theft-protection", ["state": isOn ? "on" : "off"])
    }

    /// Takes the phone to a familiar place, or away from them.
    public func move(to place: PhonePlace) throws { try perform("place", ["place": place.word]) }

    /// Replaces another phone, as a new phone set up from the old one, which is erased.
    ///
    /// Backed-up passkeys, the secrets that migrate and the apps move. No finger or face moves. Other threads must not use the
    /// old phone meanwhile.
    public func takeOver(from old: Phone) throws {
        do {
            try wait { [device, old = old.device] in try await device.takeOver(from: old) }
        } catch {
            throw PhoneRefusal(error)
        }
        keychain.take(from: old.keychain, into: device.secureStorage)
    }
}
