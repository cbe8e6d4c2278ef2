/// What a device says in its INIT answer that it can do (CTAP 2.3 §11.2.9.1.3).
public struct CTAPHIDCapabilities: OptionSet, Hashable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The device answers WINK.
    public static let wink = CTAPHIDCapabilities(rawValue: 0x01)
    /// The device answers CBOR.
    public static let cbor = CTAPHIDCapabilities(rawValue: 0x04)
    /// The device does *not* answer MSG: it speaks no U2F.
    public static let noMessage = CTAPHIDCapabilities(rawValue: 0x08)
}
