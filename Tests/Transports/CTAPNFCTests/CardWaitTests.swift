import CTAP
import CTAPNFC
import TestSupport
import Testing

/// Requests that take time, and fields that are lost.
@Suite("A card with a running request", .timeLimit(.minutes(30)))
struct CardWaitTests {
    /// NFCCTAP_MSG of a request that waits for a touch, from a client that takes updates.
    static let touch = "80108000 0101 00"
    static let poll = "80110000 00"
    static let cancel = "80111100 00"

    @Test func aClientThatTakesUpdatesReceivesThem() async {
        let bench = await CardBench.selected()
        #expect(await bench.sendAndWait(Self.touch, until: "request 1") == "029100")
        for _ in 1...3 { #expect(await bench.sendAndWait(Self.poll) == "029100") }
        bench.device.touch()
        #expect(await bench.send(Self.poll) == "009000")
        #expect(await bench.send(Self.poll) == "6985")
    }

    @Test func aQuickAnswerIsSentAtOnce() async {
        let bench = await CardBench.selected()
        #expect(await bench.send("80108000 0102 00") == "009000")
        #expect(bench.clock.now.offset == .zero)
    }

    @Test func aClientThatTakesNoUpdatesWaits() async {
        let bench = await CardBench.selected()
        async let answer = bench.send("80100000 0101 00")
        await Self.waitUntilBegun("request 1", on: bench)
        bench.device.touch()
        #expect(await answer == "009000")
    }

    @Test func aCancelledRequestIsAnsweredByTheDevice() async {
        let bench = await CardBench.selected()
        #expect(await bench.sendAndWait(Self.touch, until: "request 1") == "029100")
        #expect(await bench.sendAndWait(Self.cancel) == "2d9000")
        #expect(await bench.send("80108000 0104 00") == "00049000")
        #expect(bench.device.events == ["power cycle", "request 1", "cancelled", "request 4"])
    }

    @Test func oneRequestRunsAtATime() async {
        let bench = await CardBench.selected(u2f: true)
        #expect(await bench.sendAndWait(Self.touch, until: "request 1") == "029100")
        for command in ["80108000 0104 00", "90100000 0104", "00030000 00", "00C00000 00"] {
            #expect(await bench.send(command) == "6985")
        }
        bench.device.touch()
        #expect(await bench.send(Self.poll) == "009000")
    }

    @Test(arguments: [CardBench.select, "80120100"])
    func selectionAndDeselectionCancelTheRequest(command: String) async {
        let bench = await CardBench.selected()
        #expect(await bench.sendAndWait(Self.touch, until: "request 1") == "029100")
        #expect(await bench.send(command)?.hasSuffix("9000") == true)
        _ = await bench.send(CardBench.select)
        #expect(await bench.send(Self.poll) == "6985")
        // The next request waits until the cancelled one ends.
        #expect(await bench.send("80100000 0104 00") == "00049000")
        #expect(bench.device.events == ["power cycle", "request 1", "cancelled", "request 4"])
    }

    @Test func aCardOutsideAFieldIsSilent() async {
        let card = NFCCard(device: ScriptedDevice())
        #expect(await card.transmit([UInt8](hex: CardBench.select)) == nil)
    }

    @Test func aLostFieldEndsTheRequestAndTheSelection() async {
        let bench = await CardBench.selected()
        async let answer = bench.send("80100000 0101 00")
        await Self.waitUntilBegun("request 1", on: bench)
        await bench.card.powerOff()
        #expect(await answer == nil)
        #expect(await bench.send(Self.poll) == nil)
        await bench.card.powerOn()
        #expect(await bench.send(Self.poll) == "6d00")
        #expect(await bench.send(CardBench.select) == "4649444f5f325f309000")
        #expect(await bench.send("80100000 0104 00") == "00049000")
        let events = bench.device.events
        #expect(events.filter { $0 == "power cycle" }.count == 2)
        #expect(events.contains("cancelled"))
    }

    @Test func aLostFieldDiscardsPartialRequestsAndAnswers() async {
        let bench = await CardBench.selected()
        #expect(await bench.send("90100000 020405") == "9000")
        await bench.card.powerOn()
        _ = await bench.send(CardBench.select)
        #expect(await bench.send("80100000 03060708 01") == "006103")
        await bench.card.powerOn()
        _ = await bench.send(CardBench.select)
        #expect(await bench.send("00C00000 00") == "6985")
        #expect(bench.device.events == ["power cycle", "power cycle", "request 6", "power cycle"])
    }

    /// Waits until the device has started a request.
    static func waitUntilBegun(_ event: String, on bench: CardBench) async {
        while !bench.device.events.contains(event) { await Task.yield() }
    }
}
