import CTAPHybrid
import TestSupport
import Testing

/// Messages out of order, of another kind or from another peer.
@Suite("Refusals on hybrid connections")
struct RefusalTests {
    /// A phone after a handshake with the keys that the test holds.
    private static func connected(
        _ faults: [HybridFault] = []
    ) throws -> (phone: HybridAuthenticator, crypter: HybridCrypter) {
        let code = try HybridBench.code()
        var generator = SeededGenerator(seed: 40)
        let configuration = try HybridBench.configuration(faults)
        var phone = try #require(HybridAuthenticator(scanned: code, configuration) { generator.bytes($0) })
        _ = phone.start()
        let actions = phone.handle(.tunnelOpened(routingID: HybridBench.routingID))
        guard case .advertise(let advert)? = actions.last else { throw HybridRefusal.noRoutingID }
        let plaintext = try EIDKey(secret: code.secret).open(advert.serviceData).plaintext
        let handshake = try HandshakeInitiator(
            identity: .own(try HybridBench.otherKey()),
            preSharedKey: KeyPurpose.preSharedKey.derive(from: code.secret, salt: plaintext.bytes),
            ephemeralKey: try Sample.key(41))
        let answers = phone.handle(.frame(handshake.message))
        guard answers.first == .stopAdvertising, case .send(let answer, _)? = answers.dropFirst().first else {
            throw HybridRefusal.noEphemeralKey
        }
        return (phone, HybridCrypter(try handshake.finish(answer), construction: .bigEndian))
    }

    @Test func aPhoneNeedsItsRoutingID() throws {
        for header in [nil, "", "0265", "zzzzzz"] as [String?] {
            var bench = try HybridBench()
            _ = bench.phone.start()
            #expect(bench.phone.handle(.tunnelOpened(routingID: header)) == [.close(.refused(.noRoutingID))])
        }
    }

    @Test func aPhoneNeedsTheWebSocketChannel() throws {
        for (keySix, accepted) in [
            (.channels([.bluetooth]), false), (.channels([]), false), (.channels([.bluetooth, .webSocket]), true),
            (.supportsNonDiscoverable(false), true),
        ] as [(QRKeySix, Bool)] {
            var bench = try HybridBench(code: HybridBench.code { $0.keySix = keySix })
            bench.start()
            #expect((bench.phoneEnd == .refused(.noCommonChannel)) == !accepted)
            #expect((bench.revision != nil) == accepted)
        }
    }

    @Test(arguments: [nil, 400, 301, 410] as [Int?])
    func aRefusedTunnelEndsThePhone(status: Int?) throws {
        var bench = try HybridBench()
        _ = bench.phone.start()
        #expect(bench.phone.handle(.tunnelFailed(status: status)) == [.close(.refused(.tunnel(status: status)))])
        #expect(bench.phone.handle(.tunnelOpened(routingID: HybridBench.routingID)) == [])
    }

    @Test func aSecondCommandEndsThePhone() throws {
        var (phone, crypter) = try Self.connected()
        #expect(phone.handle(.frame(try crypter.seal([1, 1, 2]))) == [.perform([1, 2])])
        #expect(phone.handle(.frame(try crypter.seal([1, 1, 2]))) == [.cancel, .close(.refused(.secondCommand))])
        #expect(phone.handle(.answer([0])) == [])
    }

    @Test func aCommandInFlightEndsAPhoneOfSeveralCommands() throws {
        var (phone, crypter) = try Self.connected([.furtherCommands])
        #expect(phone.handle(.frame(try crypter.seal([1, 1]))) == [.perform([1])])
        #expect(
            phone.handle(.frame(try crypter.seal([1, 1])))
                == [.apply(.furtherCommands), .cancel, .close(.refused(.commandInFlight))])
    }

    @Test func getInfoDoesNotCountAsTheCommand() throws {
        var (phone, crypter) = try Self.connected()
        for _ in 0..<3 {
            #expect(phone.handle(.frame(try crypter.seal([1, 4]))).count == 1)
        }
        #expect(phone.handle(.frame(try crypter.seal([1, 2]))) == [.perform([2])])
    }

    @Test(
        arguments: [
            ([0], HybridEnd.shutdown), ([0, 1, 2], .shutdown), ([], .refused(.frame(.empty))),
            ([1], .refused(.frame(.empty))), ([4, 1], .refused(.frame(.unknownType(4)))), ([3, 0x7B], .refused(.json)),
        ] as [([UInt8], HybridEnd)])
    func otherMessagesEndThePhone(text: [UInt8], end: HybridEnd) throws {
        var (phone, crypter) = try Self.connected()
        #expect(phone.handle(.frame(try crypter.seal(text))) == [.close(end)])
    }

    @Test func aShutdownCancelsTheCommand() throws {
        var (phone, crypter) = try Self.connected()
        _ = phone.handle(.frame(try crypter.seal([1, 1])))
        #expect(phone.handle(.frame(try crypter.seal([0]))) == [.cancel, .close(.shutdown)])
        var (second, key) = try Self.connected()
        _ = second.handle(.frame(try key.seal([1, 1])))
        #expect(second.handle(.tunnelClosed) == [.cancel, .close(.tunnelClosed(.command))])
    }

    @Test func updatesToThePhoneAreReadAndIgnored() throws {
        var (phone, crypter) = try Self.connected()
        #expect(phone.handle(.frame(try crypter.seal([2, 0xA0]))) == [])
        #expect(phone.handle(.frame(try crypter.seal([2, 0xFF]))) == [.ignore(.linking(.malformed))])
        #expect(phone.handle(.frame(try crypter.seal([1, 1]))) == [.perform([1])])
    }

    @Test func aFrameOfAnotherConnectionEndsThePhone() throws {
        var (phone, _) = try Self.connected()
        let other = [UInt8](repeating: 1, count: 48)
        #expect(phone.handle(.frame(other)) == [.close(.refused(.frame(.decryptionFailed)))])
    }

    @Test func anAnswerWithoutACommandIsIgnored() throws {
        var (phone, crypter) = try Self.connected([.furtherCommands])
        #expect(phone.handle(.answer([0])) == [.ignore(.unsolicitedAnswer)])
        _ = phone.handle(.frame(try crypter.seal([1, 1])))
        #expect(phone.handle(.answer([])) == [.ignore(.unsolicitedAnswer)])
        let answer = phone.handle(.answer([0]))
        #expect(answer.count == 2 && answer.first == .apply(.furtherCommands))
        #expect(phone.handle(.answer([0])) == [.ignore(.unsolicitedAnswer)])
    }

    @Test func theOtherEndIgnoresAdvertsOfOthers() throws {
        var bench = try HybridBench()
        let foreign = try Sample.plaintext(routingID: [1, 2, 3])
        bench.tell(.advert(EIDKey(secret: Sample.bytes(16, seed: 99)).seal(foreign)))
        bench.tell(.advert([1, 2, 3]))
        #expect(bench.otherActions == [.ignore(.advert(.foreign)), .ignore(.advert(.tooShort(3)))])
        bench.start()
        #expect(bench.revision == .version21)
    }

    @Test func theOtherEndSendsOneCommandAtATime() throws {
        var bench = try HybridBench([.answerMissing])
        bench.tell(.send([1]))
        bench.start()
        bench.tell(.send([1]))
        bench.tell(.send([2]))
        #expect(bench.ignored == [.unexpected(.discovery), .commandInFlight])
        #expect(bench.otherEnd == nil)
    }

    @Test func everyReasonSaysWhatIsWrongAndWhatToDo() {
        let adverts: [AdvertError] = [.tooShort(3), .foreign, .reservedByte(1), .malformedSuffix]
        let handshakes: [HandshakeError] = [.length(80), .pointNotOnCurve, .decryptionFailed]
        let frames: [FrameError] = [
            .tooShort(3), .tooLong(9), .decryptionFailed, .padding, .empty, .unknownType(4), .countersUsedUp,
        ]
        let messages: [FirstMessageError] = [.malformed, .notAMap, .noInfo, .features]
        let links: [LinkingError] = [.malformed, .notAMap, .member(3), .publicKey, .signature, .notByQRCode]
        let others: [HybridRefusal] = [
            .unassignedDomain(TunnelDomain(rawValue: 200)), .tunnel(status: 410), .tunnel(status: 400),
            .tunnel(status: nil), .noRoutingID, .unexpected(.firstMessage), .commandInFlight, .secondCommand,
            .unsolicitedAnswer, .wrongDirection, .json, .connectionSignal, .noEphemeralKey, .noCommonChannel,
        ]
        let refusals =
            adverts.map { HybridRefusal.advert($0) } + handshakes.map { .handshake($0) } + frames.map { .frame($0) }
            + messages.map { .firstMessage($0) } + links.map { .linking($0) } + others
        for refusal in refusals {
            let sentences = refusal.description.split(separator: ". ")
            #expect(sentences.count == 2 && refusal.description.hasSuffix("."), "\(refusal)")
        }
        #expect(Set(refusals.map(\.description)).count == refusals.count)
    }
}
