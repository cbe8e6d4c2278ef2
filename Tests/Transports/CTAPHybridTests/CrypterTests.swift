import CTAPHybrid
import TestSupport
import Testing

/// CTAP 2.3 §11.5: encryption of frames.
@Suite("Frames' encryption")
struct CrypterTests {
    private static let keys = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))

    private static func pair(
        _ construction: FrameConstruction?, counter: UInt32 = 0
    ) -> (phone: HybridCrypter, other: HybridCrypter) {
        (
            HybridCrypter(sendKey: keys.0, receiveKey: keys.1, construction: construction, counter: counter),
            HybridCrypter(sendKey: keys.1, receiveKey: keys.0, construction: nil, counter: counter)
        )
    }

    /// Frames that two implementations published, with the key of each.
    @Test func framesAreThePublishedOnes() throws {
        let text = Array("The quick brown fox jumps over the lazy dog.".utf8)
        let first = """
            a4221bbd65ac9bd6da472f1c4a93950da19edaccbf61cd8e2febb60df5b2ae334cabad4d74321e567b0d0c470429e0cb
            a79c29a79f6148777cd000e31daa6eb71dfe23c59a96b2fe48c62a21208821ec
            """
        let second = """
            15ad06403f68fced802b3709ac2e9ab5ed409171c7fc23c0c0ad537297b70019042e73321bdd4d038fe023741960fc82
            4382da5387d93b4232727b89fc86ac089bc295ba143a867968443be8540673da
            """
        var crypter = HybridCrypter(
            sendKey: [UInt8](repeating: 67, count: 32), receiveKey: [UInt8](repeating: 42, count: 32),
            construction: .bigEndian)
        #expect(try crypter.seal(text).hex == first.filter { $0 != "\n" })
        #expect(try crypter.seal(text).hex == second.filter { $0 != "\n" })
        let request = [UInt8](
            hex: """
                0101a60158203889285c8c6323950ced074984f9f9463bc1739bb621a9e5f1ee8dd9393ba28002a262696478187765
                62617574686e2e6669727374796561722e69642e6175646e616d657818776562617574686e2e666972737479656172
                2e69642e617503a362696450d6d7aa298fe84a06aaded7e49d900a62646e616d6561616b646973706c61794e616d65
                61610482a263616c672664747970656a7075626c69632d6b6579a263616c6739010064747970656a7075626c69632d
                6b65790581a2626964440001020364747970656a7075626c69632d6b657907a1627576f5
                """)
        let frame = """
            5062cf34571e0827a7c0207f7c00184567d613eab0da080ad042d80664c59df7b01a13db17fd277575ccff53b6a34fdb
            4fbcf832f3d360f8e5a7daee7f265a9253a904d6ebff2f9370d35536d8bf054830aaadffb996b420b2b3170ac80a8379
            6823ed3c284b177c23400ca0124d6a68263d39783cfef0273fdf3bfcfa0a6c33df319b126f6e8290d22c4cd32a7a9788
            56ba2273d1be1c0a291e5ee197416aa0f7a104e4d0ac582b708482326d5ff0f1768c1416d016b1f89242e70e80312fe6
            b6d4029a40ada374b31e7d66fac3ba7283944b9b60da4b98f67804095fd39cd1d45d75c93d2d86cbfc21616f9f1a576c
            cf8c862ee185125fc1ed7ed2486e2c5fbfc39c919597dd86c338e7df553d51e8
            """
        let writeKey = [UInt8](hex: "1fba3cce17622c68268d9f75b5a8a3351b517f096fb5e294941af7e3a6a8d6e1")
        let readKey = [UInt8](hex: "e34f1aa3747238c04d3bd25e07ef1b35fef359000d755615cd85be27cfc807d1")
        var browser = HybridCrypter(sendKey: writeKey, receiveKey: readKey, construction: .bigEndian)
        #expect(try browser.seal(request).hex == frame.filter { $0 != "\n" })
        var phone = HybridCrypter(sendKey: readKey, receiveKey: writeKey, construction: nil)
        #expect(try phone.open([UInt8](hex: frame)) == request)
        #expect(phone.construction == .bigEndian)
    }

    @Test(arguments: FrameConstruction.allCases)
    func everyLengthIsPaddedAndReadBack(construction: FrameConstruction) throws {
        var (phone, other) = Self.pair(construction)
        for count in 0...130 {
            let text = Sample.bytes(count, seed: UInt64(count))
            let frame = try phone.seal(text)
            #expect(frame.count % 32 == 16 && frame.count > count + 16)
            #expect(try other.open(frame) == text)
            #expect(try phone.open(other.seal(text)) == text)
        }
        #expect(other.construction == construction)
    }

    @Test(arguments: FrameConstruction.allCases)
    func framesAreReadOnceAndInOrder(construction: FrameConstruction) throws {
        var (phone, other) = Self.pair(construction)
        let frames = [try phone.seal([1]), try phone.seal([1])]
        #expect(frames[0] != frames[1])
        #expect(throws: FrameError.decryptionFailed) { try other.open(frames[1]) }
        #expect(try other.open(frames[0]) == [1])
        #expect(throws: FrameError.decryptionFailed) { try other.open(frames[0]) }
        #expect(try other.open(frames[1]) == [1])
    }

    @Test func theConstructionIsFixedAfterTheFirstFrame() throws {
        var (phone, other) = Self.pair(.bigEndian)
        var (older, _) = Self.pair(.littleEndian)
        _ = try older.seal([])
        #expect(try other.open(phone.seal([1])) == [1])
        #expect(throws: FrameError.decryptionFailed) { try other.open(older.seal([1])) }
    }

    @Test func everyChangedByteIsNoticed() throws {
        var (phone, other) = Self.pair(.bigEndian)
        let frame = try phone.seal([1, 2, 3])
        for index in frame.indices {
            var changed = frame
            changed[index] ^= 0x80
            #expect(throws: FrameError.decryptionFailed) { try other.open(changed) }
        }
        for count in 0..<16 {
            #expect(throws: FrameError.tooShort(count)) { try other.open(Array(frame.prefix(count))) }
        }
        let long = [UInt8](repeating: 0, count: HybridCrypter.longestFrame + 1)
        #expect(throws: FrameError.tooLong(long.count)) { try other.open(long) }
        #expect(throws: FrameError.tooLong(long.count)) { try phone.seal(long) }
    }

    @Test func theCountersEnd() throws {
        var (phone, other) = Self.pair(.bigEndian, counter: HybridCrypter.lastCounter)
        #expect(HybridCrypter.lastCounter == 16_777_215)
        let frame = try phone.seal([1])
        #expect(throws: FrameError.countersUsedUp) { try phone.seal([1]) }
        #expect(try other.open(frame) == [1])
        #expect(throws: FrameError.countersUsedUp) { try other.open(frame) }
    }
}
