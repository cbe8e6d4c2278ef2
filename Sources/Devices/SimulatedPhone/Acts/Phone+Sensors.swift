public import Biometrics

/// The sensors and the enrolled set.
///
/// Each act throws ``PhoneRefusal`` when the phone refuses it, and when it has no effect in the phone's state.
extension Phone {
    /// Enrols another finger or face; items of the Keychain that are bound to the enrolled set are lost.
    ///
    /// - Parameters:
    ///   - name: the name of the new finger or face.
    ///   - sensor: the sensor; nil for the first.
    ///   - replaced: the finger or face that is replaced, as when a face is set up again; nil for another one.
    public func enrol(_ name: String, on sensor: BiometricModality? = nil, insteadOf replaced: String? = nil) throws {
        try perform("enrol", ["template": name, "modality": sensor?.word, "instead-of": replaced])
    }

    /// Removes an enrolled finger or face; without a name, all of them.
    public func unenrol(_ name: String? = nil) throws { try perform("unenrol", ["template": name]) }

    /// Locks a sensor until the passcode is entered, as after too many failed attempts; without a name, every sensor.
    public func lockOut(_ sensor: BiometricModality? = nil) throws {
        try perform("lock-out", ["modality": sensor?.word])
    }

    /// Breaks, hides or repairs a sensor; without a name, the first.
    public func setSensor(_ state: SensorAvailability, on sensor: BiometricModality? = nil) throws {
        try perform("sensor", ["state": state.word, "modality": sensor?.word])
    }
}
