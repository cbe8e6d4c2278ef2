import CBOR
import CTAP
import TestSupport
import Testing
import Trace

@Suite("Arbitrary bytes")
struct FuzzTests {
    static let secret = [UInt8](0xA0...0xBF)

    /// A value that is not secret.
    static func junk(_ depth: Int, _ generator: inout SeededGenerator) -> CBOR.Value {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &generator) {
        case 0: .integer(Int.random(in: -300...300, using: &generator))
        case 1: .bytes(generator.bytes(Int.random(in: 0...40, using: &generator)))
        case 2: .text(["id", "type", "", "example.com", "\u{1B}[2J"].randomElement(using: &generator) ?? "")
        case 3: .bool(.random(using: &generator))
        case 4:
            [.null, .undefined, .simple(99), .float64(bits: 1), .unsigned(.max)].randomElement(using: &generator) ?? 0
        case 5: .array((0..<3).map { _ in junk(depth - 1, &generator) })
        default:
            .map(
                (0..<Int.random(in: 0...4, using: &generator)).reduce(into: CBOR.Map()) { map, _ in
                    map[Int.random(in: -4...12, using: &generator)] = junk(depth - 1, &generator)
                })
        }
    }

    /// A map with additional members.
    static func crowded(_ value: CBOR.Value, _ generator: inout SeededGenerator) -> CBOR.Value {
        guard case .map(var map) = value else { return value }
        for key in 0...0x20 where map[key] == nil && Bool.random(using: &generator) {
            map[key] = junk(2, &generator)
        }
        return .map(map)
    }

    @Test func noMessageLeaksASecretOrStopsTheDecoder() async throws {
        var generator = SeededGenerator(seed: 20_260_101)
        let places = SecretPlace.requests + SecretPlace.answers + SecretPlace.unknown
        var unreadable = 0
        for round in 0..<Ring.rounds(4000) {
            let place = places[round % places.count]
            var (request, answer) = place.exchange(.bytes(Self.secret))
            var bytes = place.isAnswer ? answer : request
            let first = bytes.removeFirst()
            if let value = try? CBOR.decode(bytes, options: .lenient) {
                bytes = CBOR.encode(Self.crowded(value, &generator))
            }
            // Half of them arrive cut short or with something behind them.
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes.removeLast(Int.random(in: 1...8, using: &generator))
            case 1: bytes += generator.bytes(Int.random(in: 1...8, using: &generator))
            default: break
            }
            if (try? CBOR.decode(bytes, options: .lenient)) == nil { unreadable += 1 }
            if place.isAnswer { answer = [first] + bytes } else { request = [first] + bytes }
            let text = try Recording.everything(try await exchange(request, answer))
            // The cut may remove the end of the secret.
            let leak = Array(Self.secret.prefix(20)).hex
            #expect(!text.contains(leak), "\(place.name): \(bytes.hex)")
            #expect(!text.contains("\u{1B}"))
        }
        #expect(unreadable > Ring.rounds(1000))
    }

    @Test func randomBytesAreDecodedWithoutATrap() async throws {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<Ring.rounds(4000) {
            let request =
                [UInt8.random(in: 0...0x50, using: &generator)]
                + generator.bytes(.random(in: 0...60, using: &generator))
            let answer = generator.bytes(.random(in: 0...60, using: &generator))
            let records = try await exchange(request, answer, keepsSecrets: .random(using: &generator))
            for record in records { #expect(try TraceLine.decode(TraceLine.encode(record)) == record) }
            #expect(!(try Recording.everything(records, showsSecrets: true)).isEmpty)
        }
    }

    @Test func damagedMessagesAreDecodedWithoutATrap() async throws {
        var generator = SeededGenerator(seed: 5)
        for place in SecretPlace.requests + SecretPlace.answers {
            for _ in 0..<Ring.rounds(50) {
                var (request, answer) = place.exchange(.bytes(generator.bytes(32)))
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    if place.isAnswer {
                        answer[Int.random(in: answer.indices, using: &generator)] = generator.bytes(1)[0]
                    } else {
                        request[Int.random(in: request.indices, using: &generator)] = generator.bytes(1)[0]
                    }
                }
                let records = try await exchange(request, answer)
                for record in records { #expect(try TraceLine.decode(TraceLine.encode(record)) == record) }
            }
        }
    }

    @Test func randomLinesAreNotRecords() throws {
        var generator = SeededGenerator(seed: 6)
        let record = TraceRecord(at: .seconds(5), device: "key", exchange: 1, content: .powerCycle)
        let good = try TraceLine.encode(record)
        for _ in 0..<Ring.rounds(3000) {
            var line = good
            let position = Int.random(in: line.indices, using: &generator)
            line[position] = UInt8.random(in: 0x20...0x7E, using: &generator)
            // Read or refused, but never a trap; a record that is read can be written again.
            if let read = try? TraceLine.decode(line) { _ = try TraceLine.encode(read) }
            #expect(throws: TraceFormatError.self) { try TraceLine.decode(good.prefix(position)) }
        }
    }
}
