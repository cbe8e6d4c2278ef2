import CTAPHybrid
import TestSupport
import Testing

/// Each deliberate fault of a phone, as the other end sees it.
@Suite("Faults of phones on hybrid connections")
struct FaultTests {
    private static func ended(_ faults: [HybridFault], command: [UInt8] = [1]) throws -> HybridBench {
        var bench = try HybridBench(faults)
        bench.start()
        bench.tell(.send(command))
        return bench
    }

    @Test func anAdvertThatIsMissingLeavesTheOtherEndAtItsCode() throws {
        let bench = try Self.ended([.advertMissing])
        #expect(bench.other.stage == .discovery)
        #expect(bench.phone.stage == .handshake)
    }

    @Test(arguments: [
        (HybridFault.eidKeyWrong, HybridRefusal.advert(.foreign)), (.advertReserved(1), .advert(.reservedByte(1))),
        (.advertDomain(TunnelDomain(rawValue: 255)), .unassignedDomain(TunnelDomain(rawValue: 255))),
    ])
    func aWrongAdvertIsIgnored(fault: HybridFault, refusal: HybridRefusal) throws {
        let bench = try Self.ended([fault])
        #expect(bench.ignored == [refusal, .unexpected(.discovery)])
    }

    @Test func theAdvertMayNameAnotherDomain() throws {
        let bench = try Self.ended([.advertDomain(.apple)])
        #expect(bench.tunnels.map { $0.contains("auth.com") } == [false, true])
    }

    @Test(arguments: [[0xA0], [1, 2], [1, 2, 3, 4], [0xA1, 1, 0x19, 1, 2]] as [[UInt8]])
    func aSuffixFollowsTheAdvert(suffix: [UInt8]) throws {
        let bench = try Self.ended([.advertSuffix(suffix), .advertServices([.google, .fido])])
        let adverts = bench.phoneActions.compactMap { if case .advertise(let advert) = $0 { advert } else { nil } }
        let advert = try #require(adverts.first)
        #expect(advert.serviceData.count == 20 + suffix.count)
        #expect(Array(advert.serviceData.suffix(suffix.count)) == suffix)
        #expect(advert.services == [.google, .fido])
        #expect(bench.delivered == [[0, 1]])
    }

    @Test func aWrongPreSharedKeyEndsThePhone() throws {
        let bench = try Self.ended([.preSharedKeyWrong])
        #expect(bench.phoneEnd == .refused(.handshake(.decryptionFailed)))
        #expect(bench.otherEnd == .tunnelClosed(.handshake))
    }

    @Test(arguments: [
        (HybridFault.handshakeLength(1), HybridRefusal.handshake(.length(82))),
        (.handshakeLength(-1), .handshake(.length(80))), (.handshakeLength(.min), .handshake(.length(0))),
        (.handshakeLength(.max), .handshake(.length(81 + HybridCrypter.longestFrame))),
        (.handshakeCorrupted, .handshake(.decryptionFailed)),
        (.firstMessageMalformed, .firstMessage(.malformed)), (.infoMissing, .firstMessage(.noInfo)),
        (.answerCorrupted, .frame(.decryptionFailed)), (.answerType(9), .frame(.unknownType(9))),
        (.answerType(3), .json), (.answerShutdown, .wrongDirection),
    ])
    func aWrongMessageEndsTheOtherEnd(fault: HybridFault, refusal: HybridRefusal) throws {
        let bench = try Self.ended([fault])
        #expect(bench.otherEnd == .refused(refusal))
        #expect(bench.delivered == [])
    }

    @Test(arguments: [
        (HybridFault.handshakeMissing, HybridStage.handshake), (.firstMessageMissing, .firstMessage),
    ])
    func aPhoneMayBeSilent(fault: HybridFault, stage: HybridStage) throws {
        let bench = try Self.ended([fault])
        #expect(bench.other.stage == stage)
        #expect(bench.otherEnd == nil)
    }

    @Test func anAnswerMayComeTwice() throws {
        var bench = try HybridBench([.answerTwice, .furtherCommands])
        bench.start()
        bench.tell(.send([1]))
        #expect(bench.delivered == [[0, 1]])
        #expect(bench.otherEnd == .refused(.unsolicitedAnswer))
    }

    @Test(arguments: [HybridFault.firstMessageLate(.seconds(6)), .answerLate(.seconds(6))])
    func aMessageMayBeLate(fault: HybridFault) throws {
        let bench = try Self.ended([fault])
        let delays = bench.phoneActions.compactMap { if case .send(_, let delay) = $0 { delay } else { nil } }
        #expect(delays.filter { $0 == .seconds(6) }.count == 1)
        #expect(delays.firstIndex(of: .seconds(6)) == (fault == .firstMessageLate(.seconds(6)) ? 1 : 3))
        #expect(bench.delivered == [[0, 1]])
    }

    @Test(arguments: [
        (HybridFault.linkingSignatureWrong, LinkingError.signature), (.updateMalformed, .malformed),
    ])
    func aWrongUpdateNeitherEvictsALinkNorCloses(fault: HybridFault, error: LinkingError) throws {
        let bench = try Self.ended([fault])
        #expect(bench.ignored == [.linking(error)])
        #expect(bench.links == [])
        #expect(!bench.otherActions.contains { if case .forget = $0 { true } else { false } })
        #expect(bench.delivered == [[0, 1]])
    }

    @Test(arguments: [
        (HybridStage.tunnel, HybridEnd.tunnelClosed(.discovery)), (.handshake, .tunnelClosed(.discovery)),
        (.firstMessage, .tunnelClosed(.firstMessage)), (.ready, .tunnelClosed(.ready)),
        (.command, .tunnelClosed(.command)),
    ])
    func theTunnelDropsInEachStage(stage: HybridStage, end: HybridEnd) throws {
        let bench = try Self.ended([.tunnelDropped(stage)])
        #expect(bench.phoneEnd == .tunnelClosed(stage))
        #expect(bench.otherEnd == end)
        #expect(bench.delivered == [])
    }

    @Test(arguments: [
        (QRFault.keyUncompressed, QRError.uncompressedKey), (.keyNotOnCurve, .pointNotOnCurve),
        (.secretShort, .secretLength(15)), (.secretMissing, .missing(.secret)),
    ])
    func aFaultyCodeIsRefused(fault: QRFault, error: QRError) throws {
        let text = try HybridBench.code().text(with: fault)
        #expect(throws: error) { try QRContents(text: text) }
    }

    @Test func everyFaultyCodeIsRefusedOrReadOtherwise() throws {
        let code = try HybridBench.code()
        for fault in QRFault.allCases {
            let read = Result { try QRContents(text: code.text(with: fault)) }
            switch fault {
            case .expired: #expect(try read.get().timestamp == 1_700_000_000 - 3600)
            case .webSocketMissing: #expect(try read.get().admitsWebSocket == false)
            case .keySixIsList: #expect(try read.get().keySix == .channels([.webSocket]))
            case .keySixIsFlag: #expect(try read.get().keySix == .supportsNonDiscoverable(true))
            default: #expect(throws: QRError.self, "\(fault)") { try read.get() }
            }
        }
    }

    @Test(arguments: QRFault.allCases)
    func theAgeOfACodeStaysInItsRange(fault: QRFault) throws {
        for timestamp in [nil, 0, 10] as [UInt64?] {
            let code = try HybridBench.code { $0.timestamp = timestamp }
            if let read = try? QRContents(text: code.text(with: fault)) {
                #expect(read.timestamp == (fault == .expired ? timestamp.map { _ in 0 } : timestamp))
            }
        }
    }

    @Test func aSlowNetworkDelaysEachMessage() throws {
        let bench = try Self.ended([.messagesSlow(.seconds(2)), .answerLate(.seconds(1))])
        let delays = bench.phoneActions.compactMap { if case .send(_, let delay) = $0 { delay } else { nil } }
        #expect(delays.dropLast().allSatisfy { $0 == .seconds(2) })
        #expect(delays.last == .seconds(3))
        #expect(bench.delivered == [[0, 1]])
    }

    @Test func aPhoneMayTakeFurtherCommands() throws {
        var bench = try HybridBench([.furtherCommands])
        bench.start()
        bench.tell(.send([1]))
        bench.tell(.send([2]))
        #expect(bench.delivered == [[0, 1], [0, 2]])
        #expect(bench.phoneEnd == nil)
    }

    @Test(arguments: [FrameConstruction.littleEndian, .bigEndian])
    func aPhoneMaySpeakTheOlderRevision(construction: FrameConstruction) throws {
        let bench = try Self.ended([.revision20(construction)])
        #expect(bench.revision == .version20)
        #expect(bench.delivered == [[0, 1]])
    }

    @Test func aFaultIsNotedOnceBeforeItsEffect() throws {
        let bench = try Self.ended([.messagesSlow(.seconds(1)), .answerTwice, .linkingSignatureWrong])
        let applied = bench.phoneActions.compactMap { if case .apply(let fault) = $0 { fault } else { nil } }
        #expect(Set(applied) == [.messagesSlow(.seconds(1)), .answerTwice, .linkingSignatureWrong])
        #expect(applied.count == 3)
        #expect(bench.phoneActions.firstIndex(of: .apply(.answerTwice)).map { $0 > 3 } == true)
    }

    @Test func aFaultOfALaterStageIsNotNoted() throws {
        let bench = try Self.ended([.preSharedKeyWrong, .answerLate(.seconds(1)), .firstMessageMissing])
        let applied = bench.phoneActions.compactMap { if case .apply(let fault) = $0 { fault } else { nil } }
        #expect(applied == [.preSharedKeyWrong])
    }
}
