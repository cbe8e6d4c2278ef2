/// The capabilities in a device's INIT answer (CTAP 2.3 §11.2.9.1.3).
package struct CTAPHIDCapabilities: OptionSet, Hashable, Sendable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let wink = CTAPHIDCapabilities(rawValue: 0x01)
    package static let cbor = CTAPHIDCapabilities(rawValue: 0x04)
    /// The device does *not* answer MSG: it has no U2F.
    package static let noMessage = CTAPHIDCapabilities(rawValue: 0x08)
}
