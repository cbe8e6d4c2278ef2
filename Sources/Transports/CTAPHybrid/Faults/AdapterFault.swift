/// A deliberate fault of the Bluetooth adapter at the computer that shows the QR code.
package enum AdapterFault: Hashable, Sendable {
    /// The computer has no adapter.
    case absent
    /// The adapter is off, and stays off.
    case off
    /// The adapter is off, and is switched on after this time.
    case late(Duration)
}
