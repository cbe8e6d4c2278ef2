internal import SimulatedDevice

/// The location of a phone, for its theft protection.
public enum PhonePlace: String, Hashable, Sendable {
    /// Home, work, or another place where the phone is used often.
    case familiar
    /// Any other place.
    case away
}

/// Theft protection, and the replacement of a phone.
///
/// Each act throws ``PhoneRefusal`` when the phone refuses it, and when it has no effect in the phone's state.
extension Phone {
    /// Switches Stolen Device Protection (iOS) or Identity Check (Android) on or off.
    ///
    /// With the protection on, a phone away from familiar places does not accept the passcode in place of the sensor.
    /// On iOS, changes of the enrolled set and of the passcode also wait for an hour there.
    public func setTheftProtection(_ isOn: Bool) throws {
        try perform("theft-protection", ["state": isOn ? "on" : "off"])
    }

    /// Moves the phone to a familiar place, or away from familiar places.
    public func move(to place: PhonePlace) throws { try perform("place", ["place": place.word]) }

    /// Replaces an old phone: this phone is set up from it, and the old phone is erased.
    ///
    /// Backed-up passkeys, the secrets that migrate, saved passwords, the user's contacts and the apps move. Enrolled fingers
    /// and faces do not move, and this phone loses its own. Other threads must not use the old phone during the call.
    public func takeOver(from old: Phone) throws {
        do {
            try wait { [device, old = old.device] in try await device.takeOver(from: old) }
        } catch {
            throw PhoneRefusal(error)
        }
        keychain.take(from: old.keychain, into: device.secureStorage)
        desk.take(from: old.desk)
        for phone in [self, old] { phone.desk.endStoppedApps(of: phone.device) }
    }
}
