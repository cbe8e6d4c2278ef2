import CBOR
import TestSupport
import Testing

/// Properties of every value and every input, tried on many of them.
struct PropertyTests {
    private static let strictWithTags = CBOR.DecodingOptions(nestingLimit: 16, allowsTags: true)

    @Test func everyValueRoundTrips() throws {
        var generator = SeededGenerator(seed: 0x0C_B0)
        var failures: [String] = []
        for _ in 0..<Ring.rounds(20_000) {
            let value = CBOR.Value.random(levels: 4, using: &generator)
            let bytes = CBOR.encode(value)
            if (try? CBOR.decode(bytes)) != value { failures.append(bytes.hex) }
        }
        #expect(failures == [])
    }

    @Test func everyTaggedValueComesBackThroughTheLenientReader() throws {
        var generator = SeededGenerator(seed: 0x7A65)
        var failures: [String] = []
        for _ in 0..<Ring.rounds(5_000) {
            let value = CBOR.Value.random(RandomValueOptions(tags: true), levels: 6, using: &generator)
            let bytes = CBOR.encode(value)
            if (try? CBOR.decode(bytes, options: .lenient)) != value { failures.append(bytes.hex) }
        }
        #expect(failures == [])
    }

    @Test func everyInputOfTheStrictReaderIsCanonical() {
        var generator = SeededGenerator(seed: 0x5EED)
        var failures: [String] = []
        var accepted = 0
        var rulesSeen: Set<CBOR.Rule> = []
        for _ in 0..<Ring.rounds(30_000) {
            let value = CBOR.Value.random(RandomValueOptions(tags: true), levels: 3, using: &generator)
            let bytes = mutated(CBOR.encode(value), using: &generator)
            do throws(CBOR.DecodingError) {
                let decoded = try CBOR.decode(bytes)
                accepted += 1
                if CBOR.encode(decoded) != bytes { failures.append(bytes.hex) }
            } catch {
                rulesSeen.insert(error.rule)
                if !(0...bytes.count).contains(error.offset) { failures.append("\(bytes.hex): \(error)") }
            }
        }
        #expect(failures == [])
        #expect(accepted > Ring.rounds(5_000))
        // Floats are allowed here; every other rule must have been hit, or the mutations are too tame.
        #expect(rulesSeen == Set(CBOR.Rule.allCases).subtracting([.floatNotAllowed]))
    }

    @Test func everyInputOfTheLenientReaderHasOneCanonicalForm() {
        var generator = SeededGenerator(seed: 0x1E41)
        var failures: [String] = []
        var accepted = 0
        for _ in 0..<Ring.rounds(20_000) {
            let value = CBOR.Value.random(RandomValueOptions(tags: true), levels: 3, using: &generator)
            let bytes = mutated(CBOR.encode(value, ordering: .asGiven), using: &generator)
            guard let decoded = try? CBOR.decode(bytes, options: .lenient) else { continue }
            accepted += 1
            if (try? CBOR.decode(CBOR.encode(decoded), options: Self.strictWithTags)) != decoded {
                failures.append(bytes.hex)
            }
        }
        #expect(failures == [])
        #expect(accepted > Ring.rounds(5_000))
    }

    @Test func exactlyTheWellFormedInputsOfOneByteAreAccepted() {
        let accepted = (UInt8.min ... .max).filter { (try? CBOR.decode([$0])) != nil }
        let expected = [0x00...0x17, 0x20...0x37, 0x40...0x40, 0x60...0x60, 0x80...0x80, 0xA0...0xA0, 0xE0...0xF7]
        #expect(accepted == expected.flatMap { $0.map { UInt8($0) } })
    }

    @Test func exactlyTheCanonicalInputsOfTwoBytesAreAccepted() {
        var accepted: [UInt8: Int] = [:]
        var failures: [String] = []
        for first in UInt8.min ... .max {
            for second in UInt8.min ... .max {
                let bytes = [first, second]
                _ = try? CBOR.decode(bytes, options: .lenient)
                guard let value = try? CBOR.decode(bytes) else { continue }
                accepted[first, default: 0] += 1
                if CBOR.encode(value) != bytes { failures.append(bytes.hex) }
            }
        }
        #expect(failures == [])
        // Integers of one further byte from 24 up, one byte, one ASCII character, an array of one, simple values.
        #expect(accepted == [0x18: 232, 0x38: 232, 0x41: 256, 0x61: 128, 0x81: 76, 0xF8: 224])
    }

    @Test(arguments: [3, 4, 9, 40])
    func randomInputsAreAcceptedOnlyInCanonicalForm(length: Int) {
        var generator = SeededGenerator(seed: UInt64(length))
        var failures: [String] = []
        var accepted = 0
        for _ in 0..<Ring.rounds(50_000) {
            let bytes = generator.bytes(length)
            _ = try? CBOR.decode(bytes, options: .lenient)
            guard let (value, end) = try? CBOR.decodePrefix(bytes, from: 0) else { continue }
            accepted += 1
            if CBOR.encode(value) != Array(bytes[..<end]) { failures.append(bytes.hex) }
        }
        #expect(failures == [])
        #expect(accepted > Ring.rounds(1_000))
    }

    /// The bytes with one to three small accidents.
    private func mutated(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
            case 2: bytes.remove(at: index)
            case 3: bytes.insert(bytes[index], at: index)
            case 4: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: index)
            default:
                let other = Int.random(in: bytes.indices, using: &generator)
                bytes.swapAt(index, other)
            }
        }
        return bytes
    }
}
