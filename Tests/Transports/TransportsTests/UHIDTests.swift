import CTAP
import CTAPHID
import Foundation
import TestSupport
import Testing

@testable import Transports

@Suite("A virtual USB key, as the kernel sees it", .timeLimit(.minutes(30)))
struct UHIDTests {
    static let identity = UHIDIdentity(
        name: "Yubico YubiKey FIDO", vendorID: 0x1050, productID: 0x0402, unique: "touchstone-key-1",
        place: "touchstone/key")

    /// Runs a test with a new key and the event that created it.
    static func withKey(
        faults: TransportFaults? = nil,
        _ body: (UHIDEndpoint, FakeKernel, ScriptedDevice, _ creation: [UInt8]) async throws -> Void
    ) async throws {
        let kernel = try FakeKernel()
        let device = ScriptedDevice()
        let endpoint = try UHIDEndpoint.attach(
            descriptor: kernel.descriptor, device: device, identity: identity, faults: faults)
        try await body(endpoint, kernel, device, await kernel.read())
        await endpoint.close()
    }

    /// A report as hidraw delivers it: struct uhid_event with 65 bytes of data, the first of them the number 0.
    static func output(_ report: [UInt8], numbered: Bool = true) -> [UInt8] {
        let data = (numbered ? [0] : []) + report
        return [6, 0, 0, 0] + data + [UInt8](repeating: 0, count: 4096 - data.count) + [UInt8(data.count), 0, 1]
            + [UInt8](repeating: 0, count: 4380 - 4 - 4099)
    }

    /// The INIT request of channel ffffffff.
    static let initialize =
        [0xFF, 0xFF, 0xFF, 0xFF, 0x86, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8] + [UInt8](repeating: 0, count: 49)

    static func answersInitialization(_ kernel: FakeKernel) async -> Bool {
        let event = await kernel.read()
        // UHID_INPUT2 with 64 bytes: the answer on the broadcast channel, with the nonce.
        return event.count == 70 && event.starts(with: [12, 0, 0, 0, 64, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x86, 0, 17, 1, 2])
    }

    @Test func theKernelReceivesTheProfilesIdentity() async throws {
        try await Self.withKey { _, _, _, creation in
            #expect(creation.starts(with: [11, 0, 0, 0]))
            #expect(String(decoding: creation[4..<132].prefix { $0 != 0 }, as: UTF8.self) == "Yubico YubiKey FIDO")
            #expect(String(decoding: creation[196..<260].prefix { $0 != 0 }, as: UTF8.self) == "touchstone-key-1")
            let descriptorLength = Int(creation[260]) | Int(creation[261]) << 8
            // BUS_USB, vendor, product.
            #expect(Array(creation[262..<272]) == [3, 0, 0x50, 0x10, 0, 0, 0x02, 0x04, 0, 0])
            let descriptor = Array(creation[280...])
            #expect(descriptor.count == descriptorLength)
            // Usage page F1D0, usage 01: every FIDO client looks for them.
            #expect(descriptor.starts(with: [0x06, 0xD0, 0xF1, 0x09, 0x01]))
        }
    }

    @Test func aLongNameIsCutBetweenCharacters() {
        let identity = UHIDIdentity(
            name: String(repeating: "é", count: 100), vendorID: 1, productID: 2,
            unique: String(repeating: "x", count: 99),
            place: "here")
        let bytes = UHIDRequest.create(identity).bytes
        #expect(
            String(validating: bytes[4..<132].prefix { $0 != 0 }, as: UTF8.self) == String(repeating: "é", count: 63))
        #expect(bytes[196..<260].prefix { $0 != 0 }.count == 63)
    }

    @Test(arguments: [true, false])
    func reportsTravelInBothDirections(numbered: Bool) async throws {
        try await Self.withKey { _, kernel, _, _ in
            try kernel.write(Self.output(Self.initialize, numbered: numbered))
            #expect(await Self.answersInitialization(kernel))
        }
    }

    @Test func eventsThatAreNoReportsChangeNothing() async throws {
        try await Self.withKey { _, kernel, _, _ in
            for type in [2, 4, 5, 3, 99] as [UInt8] {
                try kernel.write([type, 0, 0, 0] + [UInt8](repeating: 0, count: 4376))
            }
            try kernel.write([6, 0])
            // A size beyond the end of the data.
            try kernel.write([6, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 4376))
            try kernel.write(Self.output(Self.initialize))
            #expect(await Self.answersInitialization(kernel))
        }
    }

    @Test(arguments: [(9, 10), (13, 14)] as [(UInt8, UInt8)])
    func featureReportsAreRefused(request: UInt8, reply: UInt8) async throws {
        try await Self.withKey { _, kernel, _, _ in
            try kernel.write([request, 0, 0, 0, 7, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 4370))
            // The number of the request, and EOPNOTSUPP: without a reply the program that asked would wait for 5 s.
            #expect(await kernel.read().starts(with: [reply, 0, 0, 0, 7, 0, 0, 0, 95, 0]))
        }
    }

    @Test func aKeyThatIsPulledDisappearsAndLosesItsPower() async throws {
        try await Self.withKey { endpoint, kernel, device, creation in
            await endpoint.unplug()
            #expect(!endpoint.isPluggedIn)
            #expect(await kernel.read() == [1, 0, 0, 0])
            #expect(device.events == ["power cycle"])
            await endpoint.unplug()
            await endpoint.plugIn()
            #expect(endpoint.isPluggedIn)
            #expect(await kernel.read() == creation)
            try kernel.write(Self.output(Self.initialize))
            #expect(await Self.answersInitialization(kernel))
        }
    }

    @Test func aFaultThatUnplugsMakesTheNodeDisappear() async throws {
        let faults = TransportFaults()
        try await Self.withKey(faults: faults) { endpoint, kernel, _, creation in
            faults.arm(TransportFault(.unplugged(after: 1)))
            try kernel.write(Self.output(Self.initialize))
            let channel = Array(await kernel.read()[21..<25])
            // A ping of 100 bytes is answered in two reports, the first of which still arrives.
            let first = channel + [0x81, 0, 100] + [UInt8](repeating: 1, count: 57)
            try kernel.write(Self.output(first))
            try kernel.write(Self.output(channel + [0] + [UInt8](repeating: 1, count: 59)))
            #expect(await kernel.read() == [12, 0, 0, 0, 64, 0] + first)
            #expect(await kernel.read() == [1, 0, 0, 0])
            #expect(!endpoint.isPluggedIn)
            faults.clear()
            await endpoint.plugIn()
            #expect(await kernel.read() == creation)
        }
    }

    @Test func theLongestMessageTravelsInBothDirections() async throws {
        try await Self.withKey { _, kernel, _, _ in
            try kernel.write(Self.output(Self.initialize))
            let answer = await kernel.read()
            try #require(answer.count == 70)
            let channel = CTAPHIDChannel(rawValue: answer[21..<25].reduce(0) { $0 << 8 | UInt32($1) })
            let ping = try CTAPHIDMessage(
                channel: channel, command: .ping, payload: (0..<7609).map { UInt8(truncatingIfNeeded: $0) })
            for packet in ping.packets { try kernel.write(Self.output(packet.report)) }
            for packet in ping.packets { #expect(await kernel.read() == [12, 0, 0, 0, 64, 0] + packet.report) }
        }
    }

    @Test func aMissingUHIDIsReportedWithARemedy() async throws {
        #expect(throws: UHIDError.missing(path: "/nowhere/uhid")) {
            _ = try UHIDEndpoint.open(device: ScriptedDevice(), identity: Self.identity, path: "/nowhere/uhid")
        }
        #expect(UHIDError.missing(path: "/dev/uhid").description.contains("modprobe uhid"))
        #expect(UHIDError.forbidden(path: "/dev/uhid").description.contains("touchstone doctor --udev-rule"))
    }

    @Test func aNodeIsFoundByTheKeysIdentity() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "hidraw-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        for (node, unique) in [("hidraw0", "touchstone-key-10"), ("hidraw3", "touchstone-key-1")] {
            let device = directory.appending(path: "\(node)/device")
            try FileManager.default.createDirectory(at: device, withIntermediateDirectories: true)
            try Data("HID_NAME=x y\nHID_PHYS=here/\(node)\nHID_UNIQ=\(unique)\n".utf8).write(
                to: device.appending(path: "uevent"))
        }
        #expect(HIDRawNode.withUnique("touchstone-key-1", in: directory.path)?.path == "/dev/hidraw3")
        let node = HIDRawNode(path: "/dev/hidraw0", in: directory.path)
        #expect(node.name == "x y")
        #expect(node.place == "here/hidraw0")
        #expect(HIDRawNode.withUnique("touchstone-key", in: directory.path) == nil)
        #expect(HIDRawNode.withUnique("touchstone-key", in: "/nowhere") == nil)
    }
}
