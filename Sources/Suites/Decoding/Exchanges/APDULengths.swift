internal import CTAP
internal import CTAPNFC
internal import Wording

/// The lengths of APDUs, of those that cannot be read, too (ISO/IEC 7816-4 §5.1).
enum APDULengths {
    static let clause = "ISO/IEC 7816-4 §5.1"

    /// The contradiction between Lc and the bytes after it.
    static func problem(_ bytes: [UInt8]) -> DecodingProblem {
        guard bytes.count >= 4 else {
            return .damage(
                "a command has at least 4 bytes, CLA, INS, P1 and P2, not \(bytes.count)", clause)
        }
        let body = Array(bytes.dropFirst(4))
        let isExtended = body.count > 3 && body[0] == 0
        let length = isExtended ? Int(body[1]) << 8 | Int(body[2]) : Int(body.first ?? 0)
        let rest = body.count - (isExtended ? 3 : 1)
        let follow = rest == 1 ? "byte follows" : "bytes follow"
        let words =
            rest < length
            ? "Lc is \(length), but only \(rest) \(follow)"
            : "Lc is \(length), but \(rest) \(follow), more than the data and an Le of "
                + (isExtended ? "2 bytes" : "1 byte")
        return .damage(words, clause)
    }

    /// Whether bytes begin like a command of the FIDO application, whatever its lengths are.
    static func beginsCommand(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 5 else { return false }
        let head = CommandAPDU(
            class: bytes[0], instruction: bytes[1], parameter1: bytes[2], parameter2: bytes[3])
        guard CardExchange.name(head) != nil else { return false }
        switch bytes[1] {
        case NFCCTAP.Instruction.select: return bytes[2] == NFCCTAP.byName && bytes[3] == 0
        case U2FInstruction.register.rawValue, U2FInstruction.authenticate.rawValue, U2FInstruction.version.rawValue:
            return [0, 3, 7, 8].contains(bytes[2]) && bytes[3] == 0 && bytes[4] == 0 && bytes.count > 8
        default: return bytes[0] & ~NFCCTAP.chainingBit == NFCCTAP.ctapClass && bytes[3] == 0
        }
    }
}
