import CBOR
import TestSupport

/// Small damage to valid bytes: flips, overwrites, cuts, repetitions and insertions.
enum Mutation {
    /// Bytes with a special meaning in CBOR.
    private static let pointed: [UInt8] = [
        0x00, 0x17, 0x18, 0x1B, 0x3B, 0x5B, 0x7F, 0x80, 0x9B, 0xA0, 0xBB, 0xF6, 0xFF,
    ]

    static func mutated(_ good: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = good
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let position = Int.random(in: 0...bytes.count, using: &generator)
            switch Int.random(in: 0..<7, using: &generator) {
            case 0 where position < bytes.count: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1 where position < bytes.count: bytes[position] = .random(in: .min ... .max, using: &generator)
            case 2 where position < bytes.count: bytes[position] = pointed.randomElement(using: &generator) ?? 0
            case 3: bytes.removeLast(bytes.count - position)
            case 4: bytes.insert(.random(in: .min ... .max, using: &generator), at: position)
            case 5:
                let end = min(bytes.count, position + Int.random(in: 0..<20, using: &generator))
                bytes.insert(contentsOf: bytes[position..<end], at: position)
            default:
                let end = min(bytes.count, position + Int.random(in: 0..<8, using: &generator))
                bytes.removeSubrange(position..<end)
            }
        }
        return bytes
    }
}

/// Random well-formed items.
enum RandomItem {
    private static let texts = ["id", "type", "name", "public-key", "alg", "rk", "up", "uv", "example.com", "", "é"]
    private static let integers: [CBOR.Value] = [
        0, 1, 2, 3, 9, 255, -1, -7, -8, -25, -257, .unsigned(.max), .negative(.max), .unsigned(1 << 63), 65_536,
    ]

    /// A map with the keys of requests.
    static func parameters(_ generator: inout SeededGenerator) -> CBOR.Value {
        var map = CBOR.Map()
        for key in 1...0x0B where Bool.random(using: &generator) {
            map[key] = item(depth: 2, &generator)
        }
        return .map(map)
    }

    static func item(depth: Int, _ generator: inout SeededGenerator) -> CBOR.Value {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
        case 0: return integers.randomElement(using: &generator) ?? 0
        case 1: return .bytes(generator.bytes([0, 1, 16, 32, 33].randomElement(using: &generator) ?? 0))
        case 2: return .text(texts.randomElement(using: &generator) ?? "")
        case 3: return .bool(.random(using: &generator))
        case 4: return [.null, .undefined, .simple(200), .float16(bits: 1)].randomElement(using: &generator) ?? .null
        case 5: return .integer(Int.random(in: -300...300, using: &generator))
        case 6:
            return .array(
                (0..<Int.random(in: 0...3, using: &generator)).map { _ in item(depth: depth - 1, &generator) })
        default:
            var map = CBOR.Map()
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let key: CBOR.Value =
                    Bool.random(using: &generator)
                    ? .text(texts.randomElement(using: &generator) ?? "")
                    : .integer(Int.random(in: -3...5, using: &generator))
                map[key] = item(depth: depth - 1, &generator)
            }
            return .map(map)
        }
    }
}
