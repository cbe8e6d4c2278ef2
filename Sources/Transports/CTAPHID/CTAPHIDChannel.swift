/// The logical channel a CTAPHID packet belongs to: four bytes, big-endian (CTAP 2.3 §11.2.3).
package struct CTAPHIDChannel: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The identifier no client ever owns.
    package static let reserved = CTAPHIDChannel(rawValue: 0)
    /// The channel on which a client without one asks for one; it carries INIT and nothing else.
    package static let broadcast = CTAPHIDChannel(rawValue: 0xFFFF_FFFF)

    /// The identifier as eight hexadecimal digits.
    package var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
