import CTAPHybrid
import TestSupport
import Testing

/// Both ends of a connection against each other (CTAP 2.3 §11.5).
@Suite("Hybrid connections")
struct ConnectionTests {
    /// Revision 2.1, and 2.0 with either encryption.
    private static let revisions: [([HybridFault], HybridRevision)] =
        [([], .version21)] + FrameConstruction.allCases.map { ([.revision20($0)], .version20) }

    @Test(arguments: revisions)
    func aCommandIsAnswered(faults: [HybridFault], revision: HybridRevision) throws {
        var bench = try HybridBench(faults)
        bench.start()
        #expect(bench.revision == revision)
        bench.tell(.send([1, 2, 3]))
        #expect(bench.delivered == [[0, 1, 2, 3]])
        #expect(bench.phoneEnd == .finished)
        #expect(bench.otherEnd == .tunnelClosed(.ready))
        #expect(bench.links.map(\.name) == ["Pixel 9"])
    }

    @Test(
        arguments: [
            (nil, HybridRevision.version20), (false, .version21), (true, .version21),
        ] as [(Bool?, HybridRevision)])
    func keyFourDecidesTheRevision(flag: Bool?, revision: HybridRevision) throws {
        var bench = try HybridBench(code: HybridBench.code { $0.supportsStateAssisted = flag })
        bench.start()
        #expect(bench.revision == revision)
        #expect(bench.links.count == (flag == true ? 1 : 0))
    }

    @Test func theTunnelsAreThoseOfTheAdvert() throws {
        var bench = try HybridBench { $0.domain = TunnelDomain(rawValue: 266) }
        bench.start()
        let tunnelID = KeyPurpose.tunnelID.derive(from: Sample.bytes(16, seed: 31)).hex.uppercased()
        #expect(
            bench.tunnels == [
                "wss://cable.wufkweyy3uaxb.com/cable/new/\(tunnelID)",
                "wss://cable.wufkweyy3uaxb.com/cable/connect/026555/\(tunnelID)",
            ])
    }

    @Test func getInfoIsAnsweredWithoutTheTunnel() throws {
        var bench = try HybridBench()
        bench.start()
        bench.tell(.send([4]))
        #expect(bench.delivered == [[0] + HybridBench.info])
        #expect(bench.other.stage == .ready)
        #expect(!bench.phoneActions.contains(.perform([4])))
    }

    @Test func aPhoneMayTakeSeveralCommands() throws {
        var bench = try HybridBench([.furtherCommands])
        bench.start()
        bench.tell(.send([1]))
        bench.tell(.send([2]))
        #expect(bench.delivered == [[0, 1], [0, 2]])
        #expect(bench.phone.stage == .ready)
        bench.tell(.close)
        #expect(bench.phoneEnd == .shutdown)
        #expect(bench.otherEnd == .finished)
    }

    @Test func aPhoneInRevision20SeesTheClosedTunnel() throws {
        var bench = try HybridBench([.revision20(.littleEndian)])
        bench.start()
        bench.tell(.close)
        #expect(bench.phoneEnd == .tunnelClosed(.ready))
    }

    @Test(arguments: revisions.map(\.0))
    func aLinkedPhoneIsReachedWithoutACode(faults: [HybridFault]) throws {
        var first = try HybridBench(faults)
        first.start()
        let link = try #require(first.links.first)
        #expect(link.domain == .google)
        #expect(link.contactID == [7, 8, 9])

        var second = try HybridBench(link: link)
        second.start()
        #expect(second.tunnels.last == "wss://cable.ua5v.com/cable/contact/BwgJ")
        second.tell(.send([2]))
        #expect(second.delivered == [[0, 2]])
        #expect(second.links == [])
        guard case .openTunnel(let request)? = second.otherActions.first else {
            Issue.record("the other end did not open its tunnel first")
            return
        }
        #expect(request.clientPayload?.linkID == link.linkID)
    }

    @Test func anUnlinkedPhoneRefusesAnEarlierLink() throws {
        var first = try HybridBench()
        first.start()
        var link = try #require(first.links.first)
        link.linkSecret[0] ^= 1
        var second = try HybridBench(link: link)
        second.start()
        // The advert is made with another secret.
        #expect(second.ignored == [.advert(.foreign)])
        #expect(second.revision == nil)
    }

    @Test func aGoneContactIsForgotten() throws {
        var first = try HybridBench()
        first.start()
        let link = try #require(first.links.first)
        for (status, forgets) in [(410, true), (400, false), (nil, false)] as [(Int?, Bool)] {
            var end = HybridInitiator(
                link: link, clientNonce: Sample.bytes(16), operation: nil, ephemeralKey: try Sample.key(1))
            _ = end.start()
            let actions = end.handle(.tunnelFailed(status: status))
            #expect(actions.contains(.forget(link)) == forgets)
            #expect(actions.last == .close(.refused(.tunnel(status: status))))
        }
    }

    @Test func theServiceMaySignalThePhonesConnection() throws {
        var bench = try HybridBench()
        let plaintext = try Sample.plaintext()
        let advert = EIDKey(secret: Sample.bytes(16, seed: 31)).seal(plaintext)
        _ = bench.other.handle(.advert(advert))
        #expect(bench.other.handle(.tunnelOpened(signalsConnection: true)).count == 1)
        var refused = bench.other
        #expect(bench.other.handle(.frame([0])) == [.phoneConnected])
        #expect(bench.other.handle(.frame([0])) == [.close(.refused(.handshake(.length(1))))])
        #expect(refused.handle(.frame([1])) == [.close(.refused(.connectionSignal))])
        bench.start()
    }

    @Test func equalRandomBytesGiveEqualFrames() throws {
        var benches = [try HybridBench(), try HybridBench()]
        for index in benches.indices { benches[index].start() }
        #expect(benches[0].phoneActions == benches[1].phoneActions)
        #expect(benches[0].otherActions == benches[1].otherActions)
    }
}
