import CBOR
import CTAPHybrid
import TestSupport
import Testing

/// CTAP 2.3 §11.5: frames' texts, and the phone's first message.
@Suite("Messages after the handshake")
struct FirstMessageTests {
    private static let android = [UInt8](
        hex: """
            a101585ca50182684649444f5f325f30684649444f5f325f3102826c6465766963655075624b657963707266035000000000
            00000000000000000000000004a262726bf5627576f50983656361626c656668796272696468696e7465726e616c
            """)
    private static let iOS16 = [UInt8](
        hex: """
            a101583aa40181684649444f5f325f300350f24a8e70d0d3f82c293732523cc4de5a04a262726bf5627576f5098268696e74
            65726e616c66687962726964
            """)

    @Test func theMessagesOfPhonesAreRead() throws {
        let android = try FirstMessage.read(Self.android)
        #expect(android.revision == .version21)
        let info = try CBOR.decode(try #require(android.message.info))
        #expect(
            info == [
                1: ["FIDO_2_0", "FIDO_2_1"], 2: ["devicePubKey", "prf"], 3: .bytes([UInt8](repeating: 0, count: 16)),
                4: ["rk": true, "uv": true], 9: ["cable", "hybrid", "internal"],
            ])
        let iOS = try FirstMessage.read(Self.iOS16)
        #expect(
            try CBOR.decode(try #require(iOS.message.info)) == [
                1: ["FIDO_2_0"], 3: .bytes([UInt8](hex: "f24a8e70d0d3f82c293732523cc4de5a")),
                4: ["rk": true, "uv": true], 9: ["internal", "hybrid"],
            ])
        #expect(iOS.message.features == nil && iOS.message.linking == nil && iOS.linkingError == nil)
        #expect(android.message.encoded(.version21) == Self.android)
        #expect(iOS.message.encoded(.version21) == Self.iOS16)
    }

    @Test(arguments: [0, 1, 400, 504, 505, 506, 507, 508, 512, 1017, 1018, 1019, 1020])
    func thePaddingEndsAtAMultipleOf512(count: Int) throws {
        let message = FirstMessage(info: [UInt8](repeating: 0, count: count))
        let bare = message.encoded(.version21).count
        let padded = message.encoded(.version20)
        #expect(padded.count.isMultiple(of: 512))
        #expect((2..<514).contains(padded.count - bare))
        let read = try FirstMessage.read(padded)
        #expect(read.message == message)
        #expect(read.revision == .version20)
    }

    /// The published lengths: an empty map has 512 bytes, and 512 bytes under key 1 have 1024.
    @Test func thePaddedLengthsAreThePublishedOnes() {
        #expect(FirstMessage(info: nil).encoded(.version20).count == 512)
        #expect(FirstMessage(info: [UInt8](repeating: 0, count: 512)).encoded(.version20).count == 1024)
    }

    @Test func theOldPaddingOfOneByteIsRead() throws {
        for count in 0..<512 {
            let message = FirstMessage(info: [UInt8](repeating: 0, count: count))
            let bare = message.encoded(.version21)
            let zeros = 255 - bare.count % 256
            let read = try FirstMessage.read(bare + [UInt8](repeating: 0, count: zeros) + [UInt8(zeros)])
            #expect(read.message == message)
            #expect(read.revision == .version20)
        }
    }

    @Test(arguments: [
        ("", FirstMessageError.malformed), ("FF", .malformed), ("A101", .malformed), ("00", .notAMap),
        ("80", .notAMap), ("A0", .noInfo), ("A10105", .noInfo), ("A2014100030A", .features),
        ("A103816463746170", .noInfo), ("A2010003816264 63", .noInfo), ("000000000005", .malformed),
    ])
    func otherMessagesAreRefused(hex: String, error: FirstMessageError) {
        #expect(throws: error) { try FirstMessage.read([UInt8](hex: hex)) }
    }

    @Test func aPhoneWithoutCTAPNeedsNoInfo() throws {
        let message = FirstMessage(info: nil, features: ["dc"])
        #expect(try FirstMessage.read(message.encoded(.version21)).message == message)
        let both = FirstMessage(info: [0xA0], features: ["ctap", "dc"])
        #expect(try FirstMessage.read(both.encoded(.version21)).message == both)
    }

    @Test(
        arguments: [
            (HybridFrame.shutdown, "00", nil), (.ctap([4]), "0104", "04"), (.update([0xA0]), "02A0", nil),
            (.json(Array("{}".utf8)), "037B7D", nil),
        ] as [(HybridFrame, String, String?)])
    func aFrameHasItsType(frame: HybridFrame, new: String, old: String?) throws {
        #expect(frame.encoded(.version21) == [UInt8](hex: new))
        #expect(frame.encoded(.version20) == old.map { [UInt8](hex: $0) })
        #expect(try HybridFrame([UInt8](hex: new), .version21) == frame)
    }

    @Test func otherFramesAreRefused() throws {
        for type in UInt8(4)...255 {
            #expect(throws: FrameError.unknownType(type)) { try HybridFrame([type, 1], .version21) }
        }
        #expect(throws: FrameError.empty) { try HybridFrame([], .version21) }
        #expect(throws: FrameError.empty) { try HybridFrame([], .version20) }
        #expect(throws: FrameError.empty) { try HybridFrame([1], .version21) }
        #expect(try HybridFrame([0, 1, 2], .version20) == .ctap([0, 1, 2]))
    }
}
