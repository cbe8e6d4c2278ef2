/// The sixteen bytes that name an authenticator model (WebAuthn L3 §6.5.1).
public struct AAGUID: Hashable, Sendable {
    /// The bytes, always sixteen.
    public let bytes: [UInt8]

    /// Sixteen zero bytes: no model.
    public static let zero = AAGUID(unchecked: [UInt8](repeating: 0, count: 16))

    /// Takes sixteen bytes; any other number gives nil.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads the usual text form, 8-4-4-4-12 hexadecimal digits; anything else gives nil.
    public init?(_ text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12], let bytes = Hex.decode(groups.joined()) else { return nil }
        self.init(bytes: bytes)
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

extension AAGUID: CustomStringConvertible {
    /// The usual text form, in lower case.
    public var description: String {
        let digits = Array(Hex.encode(bytes))
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
        return groups.joined(separator: "-")
    }
}
