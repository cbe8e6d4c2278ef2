internal import CBOR
internal import CTAP
internal import Trace

/// The member in which the reading of damaged CBOR stops.
struct ReadingStop {
    /// The keys of the maps around the first byte that cannot be read, the outermost first.
    private(set) var keys: [CBOR.Value] = []
    /// The place of the first item that cannot be read.
    private(set) var offset: Int

    private static let deepest = 16

    init(_ bytes: [UInt8], from offset: Int = 0) {
        self.offset = offset
        descend(bytes, 0)
    }

    private mutating func descend(_ bytes: [UInt8], _ depth: Int) {
        guard depth < Self.deepest, offset < bytes.count, let (count, start) = Self.head(bytes, offset) else { return }
        let isMap = bytes[offset] >> 5 == 5
        var position = start
        for _ in 0..<count {
            var key: CBOR.Value?
            if isMap {
                guard let (name, end) = try? CBOR.decodePrefix(bytes, from: position, options: .lenient) else {
                    offset = position
                    return
                }
                (key, position) = (name, end)
            }
            guard let (_, end) = try? CBOR.decodePrefix(bytes, from: position, options: .lenient) else {
                keys += [key].compactMap(\.self)
                offset = position
                return descend(bytes, depth + 1)
            }
            position = end
        }
    }

    /// The problem of bytes that are not CBOR: the rule, the offset and the member; nil for whole bytes.
    static func problem(
        _ bytes: [UInt8], from start: Int = 0, _ clause: String, note: String = "",
        _ name: (CBOR.Value) -> String? = { _ in nil }
    ) -> DecodingProblem? {
        do {
            _ = try CBOR.decode(bytes, from: start, options: .lenient)
            return nil
        } catch {
            let stop = ReadingStop(bytes, from: start)
            let place = error.rule == .truncated ? max(error.offset, stop.offset) : error.offset
            return .damage("\(error.rule.explanation), at byte \(place)\(note)" + stop.words(name), clause)
        }
    }

    /// The number of items in an array or a map of definite length, and the place of the first.
    private static func head(_ bytes: [UInt8], _ offset: Int) -> (count: Int, start: Int)? {
        guard (0x80...0xBF).contains(bytes[offset]) else { return nil }
        switch bytes[offset] & 0x1F {
        case let count where count < 24: return (Int(count), offset + 1)
        case 24 where bytes.count > offset + 1: return (Int(bytes[offset + 1]), offset + 2)
        default: return nil
        }
    }

    /// The end of a sentence, such as `, in options (0x04), clientPin`; empty outside of every member.
    func words(_ name: (CBOR.Value) -> String? = { _ in nil }) -> String {
        guard let first = keys.first else { return "" }
        let label = name(first).map { "\($0) (\(Self.label(first)))" } ?? Self.label(first)
        return ", in " + ([label] + keys.dropFirst().map(Self.label)).joined(separator: ", ")
    }

    private static func label(_ key: CBOR.Value) -> String {
        switch key {
        case .text(let text): return text
        case .unsigned(let number):
            let digits = String(number, radix: 16, uppercase: true)
            return "0x" + (digits.count == 1 ? "0" : "") + digits
        default: return key.description
        }
    }
}
