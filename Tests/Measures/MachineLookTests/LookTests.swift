import Foundation
import MachineNeeds
import Radio
import TestSupport
import Testing

@testable import MachineLook

@Suite("A look at this computer")
struct LookTests {
    private static let tcp = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 101 1 0 100 0 0 10 0
           1: 0100007F:1F90 0100007F:C001 01 00000000:00000000 00:00000000 00000000     0        0 102 1 0 100 0 0 10 0
           2: 00000000:115C 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 103 1 0 100 0 0 10 0
           3: 0200000A:2406 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 104 1 0 100 0 0 10 0
        """
    private static let udp = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           9: 0100007F:1FAF 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 201 2 0 0
        """
    private static let tcp6 = """
          sl  local_address                         remote_address                        st tx_queue rx_queue
           0: 00000000000000000000000000000000:2406 00000000000000000000000000000000:0000 0A 0:0 0:0 0 0 0 301 1 0
           1: 0000000000000000FFFF00000100007F:1F90 00000000000000000000000000000000:0000 0A 0:0 0:0 0 0 0 302 1 0
           2: 00000000000000000000000001000000:115C 00000000000000000000000000000000:0000 0A 0:0 0:0 0 0 0 303 1 0
        """

    @Test(arguments: [
        (tcp, UsualPort.serve, ["101"]), (tcp, .webDriver, ["103"]), (tcp, .devTools, []), (tcp, .control, []),
        (udp, .device, ["201"]), (udp, .serve, []), (tcp6, .devTools, ["301"]), (tcp6, .serve, ["302"]),
        (tcp6, .webDriver, []), ("", .serve, []), ("a\nb\n1: x 2 3 4 5 6 7 8 9 10", .serve, []),
    ]) func aPortIsTakenByASocketThatListensOnTheLoopbackInterface(
        _ table: String, _ port: UsualPort, _ sockets: [String]
    ) {
        #expect(OpenPorts.inodes(onPort: port.number, of: port.carrier, in: table) == sockets)
    }

    @Test func aVirtualReaderIsFoundByThePortItListensOn() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0 && listen(descriptor, 1) == 0)
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        let port = Int(UInt16(bigEndian: address.sin_port))
        guard case .usable(let detail) = ReaderService.virtualReader(port: port) else {
            Issue.record("no reader on port \(port)")
            return
        }
        #expect(detail.hasPrefix("port \(port), ") && detail.hasSuffix(", process \(getpid())"))
        close(descriptor)
        #expect(OpenPorts.owner(of: port, .tcp) == nil)
    }

    @Test func aFolderIsLookedAtAndNotMade() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let missing = folder.url.appending(path: "a/b").path
        guard case .usable(let detail) = FolderLook.sighting(of: missing, isPrivate: true) else {
            Issue.record("\(missing) is not usable")
            return
        }
        #expect(detail.hasPrefix("\(missing), made at the first use, "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func aFolderThatCannotBeUsedHasItsReason() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let file = folder.url.appending(path: "file")
        try Data().write(to: file)
        #expect(
            FolderLook.sighting(of: file.path, isPrivate: false) == .unsuitable(path: file.path, "Not a directory"))
        #expect(FolderLook.sighting(of: file.path, isPrivate: true) == .unsuitable(path: file.path, "Not a directory"))
        let open = folder.url.appending(path: "open")
        try FileManager.default.createDirectory(at: open, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: open.path)
        #expect(
            FolderLook.sighting(of: open.path, isPrivate: true)
                == .unsuitable(path: open.path, "other users can enter it; `chmod 700` it"))
    }

    @Test(arguments: [
        (PretendedBlueZ.AdapterCondition.on, Sighting.usable("hci0")), (.off, .resting("hci0 is off")),
        (.absent, .absent("BlueZ has no adapter")),
    ]) func anAdapterIsFoundOnTheBus(_ condition: PretendedBlueZ.AdapterCondition, _ sighting: Sighting) async throws {
        let bus = try await BusDaemon.start()
        var configuration = PretendedBlueZ.Configuration()
        configuration.adapter = condition
        let bluez = try await PretendedBlueZ.start(
            on: bus.address, configuration, generator: SystemRandomNumberGenerator())
        let look = BluetoothLook(address: bus.address)
        #expect(await look.bus() == .usable(bus.address))
        #expect(await look.adapter() == sighting)
        await bluez.stop()
        #expect(await look.adapter() == .absent("the bus has no running service org.bluez"))
        await bus.stop()
        #expect(await look.adapter() == .absent("no message bus answers"))
    }

    @Test(arguments: MachineNeed.allCases) func eachPartHasASighting(_ need: MachineNeed) async {
        let machine = ThisMachine(asksVersions: false)
        let finding = NeedFinding(need, await machine.look(at: need), in: machine.surroundings)
        #expect(!finding.detail.isEmpty)
    }
}
