/// Deliberate faults of the phone.
///
/// Each act throws ``PhoneRefusal`` when the phone refuses it, and when it has no effect in the phone's state.
extension Phone {
    /// Arms a fault from now on.
    ///
    /// - Parameters:
    ///   - name: a name of `touchstone faults list`, such as `key-lost-at-reboot`; the error of an unknown name lists
    ///     the nearest names.
    ///   - times: the number of answers that the fault changes, from 1 to 1000; nil for all.
    public func arm(_ name: String, times: Int? = nil) throws {
        try perform("fault", ["name": name, "times": times.map { "\($0)" }])
    }

    /// Clears the armed faults; those of the profile stay.
    public func clearFaults() throws { try perform("no-faults") }
}
