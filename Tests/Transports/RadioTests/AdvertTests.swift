import CTAPHybrid
import Radio
import TestSupport
import Testing

@Suite struct AdvertTests {
    @Test(
        "A service reads its UUID in 16, 32 and 128 bits",
        arguments: [
            ("fff9", HybridService.fido), ("0xFFF9", .fido), ("0000fff9", .fido),
            ("0000FFF9-0000-1000-8000-00805F9B34FB", .fido), ("0000fde2-0000-1000-8000-00805f9b34fb", .google),
        ])
    func readsUUID(text: String, service: HybridService) {
        #expect(HybridService(uuid: text) == service)
    }

    @Test(
        "A service does not read other texts",
        arguments: [
            "", "fff", "fffd", "+ff9", "0001fff9", "0000fff9-0000-1000-8000-00805f9b34fc", "00000fff9",
            "0000fff9-0000-1000-8000-00805f9b34fb-0000-1000-8000-00805f9b34fb",
        ])
    func refusesUUID(text: String) {
        #expect(HybridService(uuid: text) == nil)
    }

    @Test func aServiceWritesItsUUIDIn128Bits() {
        #expect(HybridService.fido.uuid == "0000fff9-0000-1000-8000-00805f9b34fb")
        #expect(HybridService.google.uuid == "0000fde2-0000-1000-8000-00805f9b34fb")
    }

    @Test func anAddressIsItsText() throws {
        let address = try #require(BluetoothAddress("c0:01:02:0a:fe:ff"))
        #expect(address.bytes == [0xC0, 1, 2, 0x0A, 0xFE, 0xFF])
        #expect(address.description == "C0:01:02:0A:FE:FF")
        #expect(address.joined(by: "_") == "C0_01_02_0A_FE_FF")
    }

    @Test(
        "An address does not read other texts",
        arguments: [
            "", "C0:01:02:0A:FE", "C0:01:02:0A:FE:FF:00", "C0:01:02:0A:FE:F", "C0:01:02:0A:FE:+F", "C0-01-02-0A-FE-FF",
            "C0:01:02:0A:FE:FF:",
        ])
    func refusesAddress(text: String) {
        #expect(BluetoothAddress(text) == nil)
    }

    @Test func aRandomAddressIsStatic() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<100 {
            #expect(BluetoothAddress.random(using: &generator).bytes[0] & 0xC0 == 0xC0)
        }
    }

    @Test func serviceDataHasARoomForItsLengthByte() throws {
        let longest = Array(repeating: UInt8(7), count: Advert.longestServiceData)
        #expect(try Advert(serviceData: longest).serviceData == longest)
        #expect(throws: RadioError.serviceDataTooLong(253)) { try Advert(serviceData: longest + [7]) }
    }
}
