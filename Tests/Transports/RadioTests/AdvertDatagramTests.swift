import CTAPHybrid
import Radio
import TestSupport
import Testing

@Suite struct AdvertDatagramTests {
    private static func complete() throws -> AdvertDatagram {
        let advert = try Advert(
            service: .google, serviceData: [1, 2, 3], address: BluetoothAddress("C0:01:02:03:04:05"),
            signalStrength: -60)
        return AdvertDatagram(radio: 0x0102_0304_0506_0708, broadcast: 9, advert: advert)
    }

    @Test func aDatagramHasTheDocumentedBytes() throws {
        let bytes: [UInt8] =
            Array("TSADVERT".utf8) + [1, 3] + [1, 2, 3, 4, 5, 6, 7, 8] + [0, 0, 0, 0, 0, 0, 0, 9] + [0xFD, 0xE2]
            + [0xC0, 1, 2, 3, 4, 5] + [0xC4] + [3] + [1, 2, 3]
        let datagram = try Self.complete()
        #expect(datagram.bytes == bytes)
        #expect(AdvertDatagram(bytes: bytes) == datagram)
    }

    @Test func aDatagramWithoutAddressAndSignalIsRead() throws {
        let datagram = AdvertDatagram(radio: 1, broadcast: .max, advert: try Advert(serviceData: []))
        #expect(AdvertDatagram(bytes: datagram.bytes) == datagram)
        #expect(datagram.bytes.count == 36)
    }

    @Test func anyOtherLengthIsRefused() throws {
        let bytes = try Self.complete().bytes
        for count in 0..<bytes.count { #expect(AdvertDatagram(bytes: Array(bytes.prefix(count))) == nil) }
        #expect(AdvertDatagram(bytes: bytes + [0]) == nil)
    }

    @Test(
        "A changed byte of the header is refused",
        arguments: [
            (0, 0x74), (7, 0x55), (8, 0), (8, 2), (9, 7), (9, 2), (9, 1), (9, 0), (26, 0xFF), (27, 0xF9), (35, 2),
            (35, 4),
        ])
    func refusesHeader(offset: Int, value: UInt8) throws {
        var bytes = try Self.complete().bytes
        bytes[offset] = value
        #expect(AdvertDatagram(bytes: bytes) == nil)
    }

    @Test func serviceDataOverTheLimitIsRefused() throws {
        var bytes = AdvertDatagram(radio: 1, broadcast: 1, advert: try Advert(serviceData: [])).bytes
        bytes[35] = 253
        #expect(AdvertDatagram(bytes: bytes + Array(repeating: 0, count: 253)) == nil)
    }

    @Test func randomBytesAreReadOrRefused() throws {
        var generator = SeededGenerator(seed: 11)
        let valid = try Self.complete().bytes
        var read = 0
        for _ in 0..<20_000 {
            var bytes = valid
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let datagram = AdvertDatagram(bytes: bytes) else { continue }
            read += 1
            #expect(datagram.bytes == bytes)
        }
        #expect(read > 0)
    }
}
