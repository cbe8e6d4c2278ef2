/// The logical channel a CTAPHID packet belongs to: four bytes, big-endian (CTAP 2.3 §11.2.3).
package struct CTAPHIDChannel: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The identifier that is never allocated.
    package static let reserved = CTAPHIDChannel(rawValue: 0)
    /// The channel for requesting a channel; it carries INIT only.
    package static let broadcast = CTAPHIDChannel(rawValue: 0xFFFF_FFFF)

    package var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
