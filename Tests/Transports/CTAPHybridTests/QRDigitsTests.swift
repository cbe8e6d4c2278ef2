import CTAPHybrid
import TestSupport
import Testing

/// CTAP 2.3 §11.5.1: bytes as digits.
@Suite("Digits of QR codes")
struct QRDigitsTests {
    @Test(arguments: [
        ([UInt8](hex: "6162FF"), "16736865"), (Array("hello world".utf8), "335311851610699281684828783"), ([], ""),
        ([0], "000"), ([255], "255"), ([UInt8](repeating: 255, count: 7), "72057594037927935"),
    ])
    func publishedBytesHaveTheirDigits(bytes: [UInt8], digits: String) throws {
        #expect(QRDigits.encode(bytes) == digits)
        #expect(try QRDigits.decode(digits) == bytes)
    }

    @Test func everyLengthIsReadBack() throws {
        for count in 0...40 {
            let bytes = Sample.bytes(count, seed: UInt64(count))
            #expect(try QRDigits.decode(QRDigits.encode(bytes)) == bytes)
        }
    }

    @Test(arguments: [
        ("1", QRError.impossibleLength(1)), ("12", .impossibleLength(2)), ("1234", .impossibleLength(4)),
        ("000000000000000000", .impossibleLength(18)), ("a", .notADigit(position: 0)),
        ("12 ", .notADigit(position: 2)), ("-12", .notADigit(position: 0)), ("٣٣٣", .notADigit(position: 0)),
        ("999", .outOfRange(position: 0)), ("256", .outOfRange(position: 0)),
        ("72057594037927936", .outOfRange(position: 0)), ("99999999999999999", .outOfRange(position: 0)),
        ("00000000000000000999", .outOfRange(position: 17)),
        (String(repeating: "0", count: 7090), .tooLong(7090)),
    ])
    func otherTextsAreRefused(text: String, error: QRError) {
        #expect(throws: error) { try QRDigits.decode(text) }
    }
}
