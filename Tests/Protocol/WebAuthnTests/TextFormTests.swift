import Foundation
import TestSupport
import Testing
import WebAuthn

/// Hexadecimal digits, base64url and AAGUIDs as text.
struct TextFormTests {
    @Test func hexadecimalDigitsGoBothWays() {
        let all = Array(UInt8.min ... .max)
        let digits = Hex.encode(all)
        #expect(digits.hasPrefix("000102030405060708090a0b0c0d0e0f10"))
        #expect(digits.count == 512)
        #expect(Hex.decode(digits) == all)
        #expect(Hex.decode(digits.uppercased()) == all)
        #expect(Hex.decode("") == [])
    }

    @Test(arguments: ["0", "0g", "g0", "00 ", " 00", "0x00", "00:11", "-1", "+1", "\u{FF10}\u{FF10}", "0\u{301}0"])
    func anythingButPairsOfDigitsIsNoHex(text: String) {
        #expect(Hex.decode(text) == nil)
    }

    /// RFC 4648 §10 without its padding, and bytes that need the two characters of base64url's own.
    static let base64URL: [(hex: String, text: String)] = [
        ("", ""), ("66", "Zg"), ("666f", "Zm8"), ("666f6f", "Zm9v"), ("666f6f62", "Zm9vYg"), ("666f6f6261", "Zm9vYmE"),
        ("666f6f626172", "Zm9vYmFy"), ("fb", "-w"), ("ff", "_w"), ("fbff", "-_8"), ("fbefbe", "----"),
        ("ffffff", "____"),
        ("00", "AA"), ("000000", "AAAA"),
    ]

    @Test(arguments: base64URL)
    func base64URLGoesBothWays(hex: String, text: String) {
        #expect(Base64URL.encode([UInt8](hex: hex)) == text)
        #expect(Base64URL.decode(text) == [UInt8](hex: hex))
    }

    @Test(arguments: [
        "Zg==", "Zg=", "=", "Zm8=", "Zm9v====", "+w", "/w", "A", "AAAAA", "Zm 9v", "Zm9v\n", "\tZm9v", " ", "Zm9v.",
        "Zm\u{E9}v", "AA\u{301}", "\u{212A}A", "AA\0", "Zh", "Zm9", "-x", "__", "AB",
    ])
    func paddingOtherAlphabetsWhiteSpaceAndStrayBitsAreNoBase64URL(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func bytesOfEveryLengthRoundTrip() {
        var generator = SeededGenerator(seed: 64)
        for length in 0...200 {
            let bytes = generator.bytes(length)
            let text = Base64URL.encode(bytes)
            #expect(text.utf8.count == (length * 4 + 2) / 3)
            #expect(Base64URL.decode(text) == bytes)
        }
    }

    @Test func eachByteHasExactlyOneTextOfTwoCharacters() {
        var meanings: [UInt8: Int] = [:]
        for first in UInt8.min..<128 {
            for second in UInt8.min..<128 {
                let text = String(decoding: [first, second], as: UTF8.self)
                guard let bytes = Base64URL.decode(text) else { continue }
                meanings[bytes.first ?? 0, default: 0] += bytes.count
            }
        }
        #expect(meanings == Dictionary(uniqueKeysWithValues: (UInt8.min ... .max).map { ($0, 1) }))
    }

    @Test func base64URLBytesAreTextInJSON() throws {
        #expect(
            try JSONDecoder().decode([Base64URLBytes].self, from: Data(#"["_w",""]"#.utf8)).map(\.bytes) == [[255], []])
        #expect(String(decoding: try JSONEncoder().encode([Base64URLBytes([255, 254])]), as: UTF8.self) == #"["__4"]"#)
        for json in [#"["/w"]"#, #"["_w=="]"#, "[1]", "[null]", "[[255]]"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([Base64URLBytes].self, from: Data(json.utf8))
            }
        }
    }

    @Test func anAAGUIDReadsAndWritesTheUsualForm() throws {
        let text = "08987058-cadc-4b81-b6e1-30de50dcbe96"
        let aaguid = try #require(AAGUID(text))
        #expect(aaguid.bytes == [UInt8](hex: "08987058cadc4b81b6e130de50dcbe96"))
        #expect(aaguid.description == text)
        #expect(AAGUID(text.uppercased()) == aaguid)
        #expect(AAGUID(bytes: aaguid.bytes) == aaguid)
        #expect(AAGUID.zero.description == "00000000-0000-0000-0000-000000000000")
        #expect(AAGUID("00000000-0000-0000-0000-000000000000") == .zero)
    }

    @Test(arguments: [
        "", "08987058cadc4b81b6e130de50dcbe96", "08987058-cadc-4b81-b6e1-30de50dcbe9",
        "08987058-cadc-4b81-b6e1-30de50dcbe966",
        "{08987058-cadc-4b81-b6e1-30de50dcbe96}", "08987058-cadc-4b81-b6e1-30de50dcbe9g",
        "0898705-8cadc-4b81-b6e1-30de50dcbe96",
        "08987058-cadc-4b81-b6e1-30de50dcbe96-", "-08987058-cadc-4b81-b6e1-30de50dcbe96",
        "08987058--cadc-4b81-b6e130de50dcbe96",
        " 08987058-cadc-4b81-b6e1-30de50dcbe96", "08987058-cadc-4b81-b6e1-30de50dcbe\u{E9}",
        "08987058\u{2013}cadc-4b81-b6e1-30de50dcbe96", "urn:uuid:08987058-cadc-4b81-b6e1-30de50dcbe96",
    ])
    func anyOtherTextIsNoAAGUID(text: String) {
        #expect(AAGUID(text) == nil)
    }

    @Test(arguments: [0, 15, 17, 32])
    func anAAGUIDHasSixteenBytes(length: Int) {
        #expect(AAGUID(bytes: [UInt8](repeating: 0, count: length)) == nil)
    }
}
