/// A response APDU (ISO/IEC 7816-4 §5.1): data, then the two bytes of the status word.
public struct ResponseAPDU: Hashable, Sendable {
    /// The data; empty in most refusals.
    public var data: [UInt8]
    /// SW1 SW2.
    public var status: StatusWord

    /// A response of data and a status word.
    public init(_ data: [UInt8] = [], _ status: StatusWord = .noError) {
        self.data = data
        self.status = status
    }

    /// Reads a response; nil when it is too short to have a status word.
    public init?(parsing apdu: [UInt8]) {
        guard apdu.count >= 2 else { return nil }
        data = Array(apdu.dropLast(2))
        status = StatusWord(rawValue: UInt16(apdu[apdu.count - 2]) << 8 | UInt16(apdu[apdu.count - 1]))
    }

    /// The response's bytes.
    public var encoded: [UInt8] { data + status.bytes }
}
