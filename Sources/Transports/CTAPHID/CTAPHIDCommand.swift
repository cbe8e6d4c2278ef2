/// The command of a CTAPHID message, without the bit that marks an initialization packet (CTAP 2.3 §11.2.9).
///
/// Parsing keeps unknown commands, so that a device can refuse them and a trace can show them.
package struct CTAPHIDCommand: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt8

    /// Creates a command; the top bit belongs to the packet and is dropped.
    package init(rawValue: UInt8) { self.rawValue = rawValue & 0x7F }

    package static let ping = CTAPHIDCommand(rawValue: 0x01)
    /// A U2F message (CTAP1).
    package static let message = CTAPHIDCommand(rawValue: 0x03)
    /// Lock the device to one channel for up to ten seconds.
    package static let lock = CTAPHIDCommand(rawValue: 0x04)
    /// Allocate a channel, or resynchronise one.
    package static let initialize = CTAPHIDCommand(rawValue: 0x06)
    /// Show the user which device this is.
    package static let wink = CTAPHIDCommand(rawValue: 0x08)
    /// A CTAP2 message.
    package static let cbor = CTAPHIDCommand(rawValue: 0x10)
    package static let cancel = CTAPHIDCommand(rawValue: 0x11)
    /// The device is still processing the command.
    package static let keepalive = CTAPHIDCommand(rawValue: 0x3B)
    /// The device refuses; one byte gives the reason.
    package static let error = CTAPHIDCommand(rawValue: 0x3F)

    package var description: String {
        switch self {
        case .ping: "PING"
        case .message: "MSG"
        case .lock: "LOCK"
        case .initialize: "INIT"
        case .wink: "WINK"
        case .cbor: "CBOR"
        case .cancel: "CANCEL"
        case .keepalive: "KEEPALIVE"
        case .error: "ERROR"
        default: "command 0x" + String(rawValue, radix: 16)
        }
    }
}
