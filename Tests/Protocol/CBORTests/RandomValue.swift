import CBOR
import TestSupport

/// The values that ``CBOR/Value/random(_:levels:using:)`` may make.
struct RandomValueOptions {
    /// Whether tags occur.
    var tags = false
    /// Whether map keys are of every kind, not only integers, byte strings and text strings.
    var anyKeys = true
    /// Whether the keys of one map are all of one major type, where RFC 7049's key order and CTAP2's agree.
    var uniformKeys = false
    /// Whether floating-point numbers occur.
    var floats = true
}

extension CBOR.Value {
    /// A random item with at most that many levels of arrays, maps and tags.
    static func random(
        _ options: RandomValueOptions = RandomValueOptions(), levels: Int, using generator: inout SeededGenerator
    ) -> CBOR.Value {
        // The kinds from 8 up take a level of their own.
        switch Int.random(in: 0..<(levels > 0 ? 12 : 8), using: &generator) {
        case 0, 1: return .unsigned(randomInteger(using: &generator))
        case 2: return .negative(randomInteger(using: &generator))
        case 3: return .bytes(generator.bytes(randomLength(using: &generator)))
        case 4: return .text(randomText(using: &generator))
        case 5: return .bool(.random(using: &generator))
        case 6: return randomSimple(using: &generator)
        case 7 where options.floats: return randomFloat(using: &generator)
        case 8 where options.tags:
            let number = randomInteger(using: &generator)
            return .tagged(number, random(options, levels: levels - 1, using: &generator))
        case 9, 10: return randomMap(options, levels: levels, using: &generator)
        default:
            guard levels > 0 else { return .null }
            let count = Int.random(in: 0...6, using: &generator)
            return .array((0..<count).map { _ in random(options, levels: levels - 1, using: &generator) })
        }
    }

    private static func randomMap(
        _ options: RandomValueOptions, levels: Int, using generator: inout SeededGenerator
    ) -> CBOR.Value {
        var map = CBOR.Map()
        let kind = Int.random(in: 0..<4, using: &generator)
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            let thisKind = options.uniformKeys ? kind : Int.random(in: 0..<(options.anyKeys ? 5 : 4), using: &generator)
            let key: CBOR.Value =
                switch thisKind {
                case 0: .unsigned(randomInteger(using: &generator))
                case 1: .negative(randomInteger(using: &generator))
                case 2: .bytes(generator.bytes(Int.random(in: 0...3, using: &generator)))
                case 3: .text(randomText(using: &generator))
                default: random(options, levels: levels - 1, using: &generator)
                }
            map[key] = random(options, levels: levels - 1, using: &generator)
        }
        return .map(map)
    }

    /// An integer of any width, often right at the edge between two widths.
    private static func randomInteger(using generator: inout SeededGenerator) -> UInt64 {
        let edges: [UInt64] = [0, 23, 24, 0xFF, 0x100, 0xFFFF, 0x1_0000, 0xFFFF_FFFF, 0x1_0000_0000, .max]
        if Bool.random(using: &generator), let edge = edges.randomElement(using: &generator) { return edge }
        return generator.next() >> UInt64.random(in: 0..<64, using: &generator)
    }

    private static func randomLength(using generator: inout SeededGenerator) -> Int {
        [0, 1, 23, 24, 32, 255, 256].randomElement(using: &generator) ?? 0
    }

    private static func randomText(using generator: inout SeededGenerator) -> String {
        // Combining marks, astral characters, a NUL, and pairs Unicode calls equivalent though their bytes differ.
        let alphabet: [Unicode.Scalar] = [
            "a", "b", "z", "\0", "\"", "\\", "\n", "e", "é", "\u{301}", "水", "\u{FEFF}", "\u{10151}", "\u{10FFFF}",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            text.append(contentsOf: alphabet.randomElement(using: &generator).map { [$0] } ?? [])
        }
        return String(text)
    }

    private static func randomSimple(using generator: inout SeededGenerator) -> CBOR.Value {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: .null
        case 1: .undefined
        case 2: .simple(UInt8.random(in: 0...19, using: &generator))
        default: .simple(UInt8.random(in: 32...255, using: &generator))
        }
    }

    private static func randomFloat(using generator: inout SeededGenerator) -> CBOR.Value {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: .float16(bits: UInt16(truncatingIfNeeded: generator.next()))
        case 1: .float32(bits: UInt32(truncatingIfNeeded: generator.next()))
        default: .float64(bits: generator.next())
        }
    }
}
