import CTAP
import CTAPNFC
import TestSupport
import Testing

/// A card answers every command with a status word.
@Suite("Random commands to a card", .timeLimit(.minutes(30)))
struct CardFuzzTests {
    private static let seeds = [
        CardBench.select, "80108000 0104 00", "90100000 03040506", "80100000 000004 04050607 0000", "80110000 00",
        "80111100 00", "80120100", "00C00000 00", "00030000 00", "00020300 02AABB 00",
    ].map { [UInt8](hex: $0) }

    @Test(arguments: UInt64(1)...4)
    func everyCommandIsAnswered(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let bench = await CardBench.selected(u2f: true)
        for _ in 0..<Ring.rounds(3000) {
            var command = try #require(Self.seeds.randomElement(using: &generator))
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let index = Int.random(in: 0...command.count, using: &generator)
                switch Int.random(in: 0...2, using: &generator) {
                case 0: command.insert(.random(in: .min ... .max, using: &generator), at: index)
                case 1 where index < command.count: command.remove(at: index)
                case 2 where index < command.count: command[index] = .random(in: .min ... .max, using: &generator)
                default: break
                }
            }
            // A request that waits for a touch has no answer until then.
            bench.device.touch()
            let response = try #require(await bench.card.transmit(command))
            #expect(ResponseAPDU(parsing: response) != nil, "to \(command.hex)")
        }
        // The card still works.
        await bench.card.powerOn()
        #expect(await bench.send(CardBench.select) == "5532465f56329000")
        #expect(await bench.send("80100000 0104 00") == "00049000")
    }
}
