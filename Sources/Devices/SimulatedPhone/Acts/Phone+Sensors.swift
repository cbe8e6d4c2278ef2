public import Biometrics

/// The sensors and the enrolled set.
///
/// Each act throws ``PhoneRefusal`` when the phone refuses it, and when it has no effect in the phone's state.
extension Phone {
    /// Enrols another finger or face; the Keychain loses the items that are bound to the enrolled set.
    ///
    /// - Parameters:
    ///   - name: the name of the new finger or face.
    ///   - sensor: the sensor; nil for the first.
    ///   - replaced: the finger or face that the new one replaces, as when a face is set up again; nil for none.
    public func enrol(_ name: String, on sensor: BiometricModality? = nil, insteadOf replaced: String? = nil) throws {
        try perform("enrol", ["template": name, "modality": sensor?.word, "instead-of": replaced])
    }

    /// Removes an enrolled finger or face by its name; nil for all of them.
    public func unenrol(_ name: String? = nil) throws { try perform("unenrol", ["template": name]) }

    /// Locks a sensor until the passcode is entered, as after too many failed attempts; nil for every sensor.
    public func lockOut(_ sensor: BiometricModality? = nil) throws {
        try perform("lock-out", ["modality": sensor?.word])
    }

    /// Breaks, hides or repairs a sensor; nil for the first sensor.
    public func setSensor(_ state: SensorAvailability, on sensor: BiometricModality? = nil) throws {
        try perform("sensor", ["state": state.word, "modality": sensor?.word])
    }
}
