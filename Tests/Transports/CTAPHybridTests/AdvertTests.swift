import CTAPHybrid
import TestSupport
import Testing

/// CTAP 2.3 §11.5.
@Suite("Adverts")
struct AdvertTests {
    private static let key = EIDKey(
        secret: [1, 254, 166, 247, 196, 128, 116, 147, 220, 37, 111, 158, 172, 247, 86, 201])
    private static let advert = [UInt8](hex: "027D84ED6076B55E247C830F82955E4D126E7F43")

    private static func plaintext(domain: UInt16) throws -> AdvertPlaintext {
        try Sample.plaintext(domain: TunnelDomain(rawValue: domain))
    }

    @Test func aPublishedAdvertIsDecrypted() throws {
        let opened = try Self.key.open(Self.advert)
        #expect(opened.plaintext.nonce == [139, 181, 197, 201, 164, 77, 145, 58, 94, 178])
        #expect(opened.plaintext.routingID.headerValue == "026555")
        #expect(opened.plaintext.domain == .google)
        #expect(opened.suffix == [])
        #expect(Self.key.seal(opened.plaintext) == Self.advert)
    }

    @Test(arguments: [0, 1, 0x01FF, 0xF980, 255] as [UInt16])
    func aSealedAdvertIsOpened(domain: UInt16) throws {
        let plaintext = try Self.plaintext(domain: domain)
        let data = Self.key.seal(plaintext)
        #expect(data.count == 20)
        let opened = try Self.key.open(data)
        #expect(opened.plaintext == plaintext)
        #expect(opened.plaintext.domain.rawValue == domain)
        #expect(opened.plaintext.routingID.bytes == [9, 10, 11])
    }

    @Test func everyChangedBitMakesAnAdvertForeign() {
        for bit in 0..<160 {
            var data = Self.advert
            data[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: AdvertError.foreign) { try Self.key.open(data) }
        }
    }

    @Test func anAdvertOfAnotherCodeIsForeign() {
        #expect(throws: AdvertError.foreign) { try EIDKey(secret: Sample.bytes(16)).open(Self.advert) }
    }

    @Test func shorterDataIsRefused() {
        for count in 0..<20 {
            #expect(throws: AdvertError.tooShort(count)) { try Self.key.open(Array(Self.advert.prefix(count))) }
        }
    }

    @Test func theReservedByteMustBeZero() throws {
        let later = try #require(AdvertPlaintext(uncheckedBytes: [1] + Sample.bytes(15)))
        #expect(throws: AdvertError.reservedByte(1)) { try Self.key.open(Self.key.seal(later)) }
    }

    @Test(arguments: [
        ("A101191234", 0x1234 as UInt16?), ("A100182A", nil), ("A1011A00010000", nil), ("A101646E6F7065", nil),
        ("A0", nil), ("A20001011880", 0x80),
    ])
    func aSuffixNamesThePSM(hex: String, psm: UInt16?) throws {
        let suffix = [UInt8](hex: hex)
        #expect(try AdvertSuffix(parsing: suffix).bluetoothPSM == psm)
        #expect(try Self.key.open(Self.advert + suffix).suffix == suffix)
    }

    @Test(arguments: ["", "FF0013", "01", "A101", "A0A0"])
    func aMalformedSuffixIsRefused(hex: String) throws {
        #expect(throws: AdvertError.malformedSuffix) { try AdvertSuffix(parsing: [UInt8](hex: hex)) }
    }

    @Test func aSuffixIsWritten() throws {
        #expect(AdvertSuffix(bluetoothPSM: 0x1234).encoded.hex == "a101191234")
        #expect(AdvertSuffix(bluetoothPSM: nil).encoded.hex == "a0")
    }

    @Test func theServicesHaveTheirUUIDs() {
        #expect(
            HybridService.allCases.map(\.uuid)
                == ["0000fff9-0000-1000-8000-00805f9b34fb", "0000fde2-0000-1000-8000-00805f9b34fb"])
    }

    @Test(arguments: ["", "0265", "02655500", "02655G", "+26555", "026 55"])
    func otherRoutingIDsAreRefused(text: String) {
        #expect(RoutingID(headerValue: text) == nil)
    }

    @Test func routingIDsAreReadInBothCases() {
        #expect(RoutingID(headerValue: "0aF09b")?.bytes == [0x0A, 0xF0, 0x9B])
    }
}
