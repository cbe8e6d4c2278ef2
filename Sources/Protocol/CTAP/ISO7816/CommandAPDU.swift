/// A command APDU (ISO/IEC 7816-4 §5.1): `CLA INS P1 P2 [Lc data] [Le]`.
///
/// | case | short | extended |
/// |---|---|---|
/// | 1 | nothing | – |
/// | 2 | `Le` | `00 Le Le` |
/// | 3 | `Lc data` | `00 Lc Lc data` |
/// | 4 | `Lc data Le` | `00 Lc Lc data Le Le` |
///
/// An Le of zero asks for the most the form allows: 256 or 65536 bytes.
public struct CommandAPDU: Hashable, Sendable {
    /// The most data of a short command, in bytes.
    public static let maximumShortLength = 255
    /// The most data of an extended command, in bytes.
    public static let maximumExtendedLength = 65535

    /// CLA.
    public var instructionClass: UInt8
    /// INS.
    public var instruction: UInt8
    /// P1.
    public var parameter1: UInt8
    /// P2.
    public var parameter2: UInt8
    /// The data; at most ``maximumExtendedLength`` bytes.
    public var data: [UInt8]
    /// Ne, the most data the response may have, 1 to 65536 bytes; nil where the command names none.
    public var expectedLength: Int?
    /// Whether the lengths have their extended form.
    public var isExtended: Bool

    /// Creates a command with extended lengths when `extended` is true or short ones are too small.
    public init(
        class instructionClass: UInt8, instruction: UInt8, parameter1: UInt8 = 0, parameter2: UInt8 = 0,
        data: [UInt8] = [], expectedLength: Int? = nil, extended: Bool = false
    ) {
        self.instructionClass = instructionClass
        self.instruction = instruction
        self.parameter1 = parameter1
        self.parameter2 = parameter2
        self.data = data
        self.expectedLength = expectedLength
        isExtended = extended || data.count > Self.maximumShortLength || (expectedLength ?? 0) > 256
    }

    /// Reads a command.
    ///
    /// An extended Lc of zero before an Le is accepted, because U2F clients send it.
    ///
    /// - Throws: 0x6700 when the lengths contradict each other.
    public init(parsing apdu: [UInt8]) throws(StatusWord) {
        guard apdu.count >= 4, let body = Body(apdu.dropFirst(4)) else { throw .wrongLength }
        instructionClass = apdu[0]
        instruction = apdu[1]
        parameter1 = apdu[2]
        parameter2 = apdu[3]
        data = body.data
        expectedLength = body.expectedLength
        isExtended = body.isExtended
    }

    /// The command's bytes.
    public var encoded: [UInt8] {
        var bytes = [instructionClass, instruction, parameter1, parameter2]
        bytes.reserveCapacity(data.count + 9)
        if isExtended, !data.isEmpty || expectedLength != nil { bytes.append(0) }
        if !data.isEmpty {
            bytes += Self.length(data.count, isExtended)
            bytes += data
        }
        if let expectedLength { bytes += Self.length(expectedLength, isExtended) }
        return bytes
    }

    private static func length(_ count: Int, _ isExtended: Bool) -> [UInt8] {
        let low = UInt8(truncatingIfNeeded: count)
        return isExtended ? [UInt8(truncatingIfNeeded: count >> 8), low] : [low]
    }

    private struct Body {
        var data: [UInt8] = []
        var expectedLength: Int?
        var isExtended = false

        /// Nil when the lengths contradict each other.
        init?(_ bytes: ArraySlice<UInt8>) {
            guard let first = bytes.first else { return }
            let start = bytes.startIndex
            if first == 0, bytes.count >= 3 {
                isExtended = true
                let length = Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
                guard bytes.count > 3 else {
                    expectedLength = length == 0 ? 65536 : length
                    return
                }
                guard take(bytes[(start + 3)...], length, lengthOfLe: 2) else { return nil }
            } else if bytes.count == 1 {
                expectedLength = first == 0 ? 256 : Int(first)
            } else {
                guard first != 0, take(bytes[(start + 1)...], Int(first), lengthOfLe: 1) else { return nil }
            }
        }

        /// Reads data of this length, and Le if it follows.
        private mutating func take(_ bytes: ArraySlice<UInt8>, _ length: Int, lengthOfLe: Int) -> Bool {
            data = Array(bytes.prefix(length))
            let rest = bytes.dropFirst(length)
            guard data.count == length, rest.isEmpty || rest.count == lengthOfLe else { return false }
            guard !rest.isEmpty else { return true }
            let named = rest.reduce(0) { $0 << 8 | Int($1) }
            expectedLength = named == 0 ? 1 << (8 * lengthOfLe) : named
            return true
        }
    }
}
