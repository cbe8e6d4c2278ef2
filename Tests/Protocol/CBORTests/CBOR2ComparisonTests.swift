import CBOR
import TestSupport
import Testing

/// Our reader and writer against those of Python's `cbor2`, value by value in both directions.
///
/// Both sides put every value into the same plain notation (``CBOR/Value/comparable``), so that a test
/// compares the values that each understood, not only the bytes.
struct CBOR2ComparisonTests {
    private static let count = 5_000

    /// Reads hexadecimal lines and answers each with cbor2's value and with cbor2's encoding of it.
    private static let reader =
        notation + """

            for line in sys.stdin:
                value = cbor2.loads(bytes.fromhex(line))
                print(show(value), cbor2.dumps(value, canonical=True).hex())
            """

    /// Makes values of its own and prints for each its canonical bytes and its notation.
    private static let writer =
        notation + #"""

            import random
            source = random.Random(20240229)
            def number():
                edge = source.choice([0, 24, 1 << 8, 1 << 16, 1 << 32, 1 << 63, (1 << 64) - 1])
                return min(max(edge + source.randint(-1, 1), 0), (1 << 64) - 1)
            def text():
                return ''.join(source.choice('abe\u0301\u00e9\u6c34\U00010151\x00') for _ in range(source.randint(0, 6)))
            scalars = [
                number, lambda: -1 - number(), lambda: source.randbytes(source.choice([0, 1, 23, 24, 255, 256])), text,
                lambda: source.choice([True, False, None, cbor2.undefined]),
                lambda: cbor2.CBORSimpleValue(source.choice([0, 19, 32, 255])),
                lambda: source.choice([0.0, -0.0, 1.5, 1.1, 65504.0, 65505.0, 1e300, 5e-324, 3.5e38,
                                       float('inf'), float('-inf'), float('nan'), source.uniform(-1e6, 1e6)]),
            ]
            def value(levels):
                choice = source.randint(0, 9) if levels else source.randint(0, 6)
                if choice < 7: return scalars[choice]()
                count = source.randint(0, 4) if levels < 4 else source.randint(0, 30)
                if choice == 7: return [value(levels - 1) for _ in range(count)]
                key = scalars[source.randint(0, 3)]
                return {key(): value(levels - 1) for _ in range(count)}
            for _ in range(int(sys.argv[1])):
                made = value(4)
                print(cbor2.dumps(made, canonical=True).hex(), show(made))
            """#

    private static let notation = #"""
        import math, struct, sys
        import cbor2
        def show(v):
            if v is True: return 'true'
            if v is False: return 'false'
            if v is None: return 'null'
            if v is cbor2.undefined: return 'undefined'
            if isinstance(v, int): return str(v)
            if isinstance(v, bytes): return "h'" + v.hex() + "'"
            if isinstance(v, str): return "t'" + v.encode().hex() + "'"
            if isinstance(v, float): return 'nan' if math.isnan(v) else 'f' + struct.pack('>d', v).hex()
            if isinstance(v, cbor2.CBORSimpleValue): return 'simple%d' % v.value
            if isinstance(v, cbor2.CBORTag): return '%d(%s)' % (v.tag, show(v.value))
            if isinstance(v, (list, tuple)): return '[' + ','.join(show(i) for i in v) + ']'
            return '{' + ','.join(sorted(show(k) + ':' + show(i) for k, i in v.items())) + '}'
        """#

    @Test func cbor2ReadsOurEncodingAsTheSameItem() async throws {
        var generator = SeededGenerator(seed: 0xCB02)
        let options = RandomValueOptions(anyKeys: false)
        let values = (0..<Self.count).map { _ in CBOR.Value.random(options, levels: 4, using: &generator) }
        let input = values.map { CBOR.encode($0).hex + "\n" }.joined()
        let answers = try await Python.run(script: Self.reader, standardInput: input).lines
        try #require(answers.count == values.count)

        var failures: [String] = []
        for (value, answer) in zip(values, answers) {
            let parts = answer.split(separator: " ")
            let returned = [UInt8](hex: String(parts[1]))
            // cbor2 shortens floats and sorts keys of different kinds in RFC 7049's order, so it is read leniently.
            let back = try CBOR.decode(returned, options: .lenient)
            if parts[0] != value.comparable || back.comparable != value.comparable {
                failures.append(CBOR.encode(value).hex)
            }
        }
        #expect(failures == [])
    }

    @Test func cbor2WritesTheSameBytesWhereTheTwoCanonicalFormsAgree() async throws {
        var generator = SeededGenerator(seed: 0x7049)
        let options = RandomValueOptions(anyKeys: false, uniformKeys: true, floats: false)
        let encodings = (0..<Self.count).map { _ in CBOR.encode(.random(options, levels: 4, using: &generator)).hex }
        let answers = try await Python.run(script: Self.reader, standardInput: encodings.map { $0 + "\n" }.joined())
            .lines
        #expect(answers.compactMap { $0.split(separator: " ").last.map(String.init) } == encodings)
    }

    @Test func weReadTheEncodingOfCBOR2AsTheSameItem() async throws {
        let lines = try await Python.run(script: Self.writer, arguments: ["\(Self.count)"]).lines
        try #require(lines.count == Self.count)
        var failures: [String] = []
        for line in lines {
            let parts = line.split(separator: " ")
            let bytes = [UInt8](hex: String(parts[0]))
            let value = try CBOR.decode(bytes)
            if value.comparable != parts[1] || CBOR.encode(value) != bytes { failures.append(String(line)) }
        }
        #expect(failures == [])
    }
}

extension CBOR.Value {
    /// The value in a plain notation without spaces in which equal values are equal texts, floats by their number.
    fileprivate var comparable: String {
        switch self {
        case .bytes(let bytes): "h'\(bytes.hex)'"
        case .text(let text): "t'\(Array(text.utf8).hex)'"
        case .simple(let number): "simple\(number)"
        case .tagged(let tag, let item): "\(tag)(\(item.comparable))"
        case .array(let items): "[\(items.map(\.comparable).joined(separator: ","))]"
        case .map(let map):
            "{\(map.map { "\($0.key.comparable):\($0.value.comparable)" }.sorted().joined(separator: ","))}"
        case .float16(let bits): Self.comparable(Double(halfBits: bits))
        case .float32(let bits): Self.comparable(Double(Float(bitPattern: bits)))
        case .float64(let bits): Self.comparable(Double(bitPattern: bits))
        default: description
        }
    }

    private static func comparable(_ number: Double) -> String {
        guard !number.isNaN else { return "nan" }
        return "f" + withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) }.hex
    }
}

extension Double {
    /// The number of a half-precision float (IEEE 754 binary16), without `Float16`, which macOS on Intel lacks.
    fileprivate init(halfBits: UInt16) {
        let exponent = Int(halfBits >> 10 & 0x1F)
        let fraction = Double(halfBits & 0x3FF) / 1024
        let magnitude: Double =
            switch exponent {
            case 0: fraction * 0x1p-14
            case 31: fraction == 0 ? .infinity : .nan
            default: (1 + fraction) * Double(sign: .plus, exponent: exponent - 15, significand: 1)
            }
        self = halfBits & 0x8000 == 0 ? magnitude : -magnitude
    }
}
