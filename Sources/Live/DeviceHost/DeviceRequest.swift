package import DeviceActs
package import SimulatedDevice

/// A request to a running device, from the terminal's commands and the control API.
///
/// The device's socket reads it as one line of JSON.
package enum DeviceRequest: Hashable, Sendable, Codable {
    case status
    /// Tell the user acts, for the open prompt and the next ones; `replacing` forgets those told before.
    case present([UserAct], replacing: Bool = false)
    /// Unplug a device on USB.
    case unplug
    /// Plug it in again.
    case plugIn
    /// Put a device on its NFC reader; one that lies there is lifted first.
    case placeOnReader
    /// Take it off the reader: now, or during the Nth command from now.
    case remove(duringCommand: Int? = nil)
    case act(DeviceAct)
    /// Scan a QR code, whose text begins with `FIDO:/`, and answer the computer that shows it.
    case scan(code: String, at: ScanPlace)
    /// Perform `export-passkeys`, and write the document to a file at an absolute path.
    case exportPasskeys(DeviceAct, path: String)
    /// Perform `import-passkeys` with the document in the file at an absolute path.
    case importPasskeys(DeviceAct, path: String)
    case setClockBack(by: Duration)
    /// Write the device's whole state to a new state file at an absolute path.
    case snapshot(path: String)
    /// Return to the state in the file at an absolute path, of this device or of another one of its profile.
    case restore(path: String)
}
