import Foundation
import Radio
import Synchronization
import TestSupport
import Testing

/// Answers calls with their own values, or not at all.
private struct Echo: BusHandler {
    let ended = Signal<Void>()
    let signals = Signal<BusMessage>()

    func answer(_ call: BusMessage, on connection: BusConnection) -> BusAnswer {
        switch call.member {
        case "Echo": .values(call.body)
        case "Refuse": .refusal(BusRefusal("org.example.Refused", "refused"))
        case "Spoil": .values([.path("no path")])
        case "Wait": .later
        default: .refusal(.unknownMethod(call.member ?? ""))
        }
    }

    func receive(_ signal: BusMessage, on connection: BusConnection) {
        // The bus sends signals of its own.
        if signal.interface == "org.example.Echo" { signals.send(signal) }
    }

    func connectionEnded() { ended.send(()) }
}

@Suite(.timeLimit(.minutes(10))) struct BusTests {
    private static let name = "org.example.Echo"

    private static func echo(_ member: String, _ body: [BusValue] = []) -> BusMessage {
        .call(name, "/echo", name, member, body)
    }

    private static let values: [BusValue] = [
        .byte(255), .bool(true), .bool(false), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max), .int64(.min),
        .uint64(.max), .double(-0.5), .string(""), .string("grün\u{10FFFF}"), .path("/"), .path("/a/b_1"),
        .signature("a{sv}"), .bytes([]), .bytes(Array(0...255)), .strings([]), .strings(["a", ""]),
        .array("ay", [.bytes([1]), .bytes([])]), .properties([:]), .properties(["b": .byte(1), "a": .bytes([2])]),
        .dictionary("q", "(sv)", [.init(key: .uint16(1), value: .structure([.string("x"), .variant(.bool(true))]))]),
        .structure([.byte(1), .structure([.string("in")])]), .variant(.variant(.properties(["a": .path("/")]))),
    ]

    @Test func everyTypeOfValuePassesTheBusUnchanged() async throws {
        try await withBus { bus in
            let service = try await BusConnection.open(bus.address, handler: Echo())
            #expect(try await service.take(Self.name))
            let client = try await BusConnection.open(bus.address)
            for value in Self.values { #expect(try await client.call(Self.echo("Echo", [value])) == [value]) }
            #expect(try await client.call(Self.echo("Echo", Self.values)) == Self.values)
            await client.close()
            await service.close()
        }
    }

    @Test(
        "A message that D-Bus does not permit is an error",
        arguments: [
            BusMessage.call("no name", "/", "a.b", "C"), .call("a.b", "path", "a.b", "C"), .call("a.b", "/", "ab", "C"),
            .call("a.b", "/", "a.b", "C.D"), .call("a.b", "/", "a.b", "C\0"), .call("a.b", "/a/", "a.b", "C"),
            .call("a.b", "/", "a.b", "C", [.string("a\0b")]), .call("a.b", "/", "a.b", "C", [.path("a")]),
            .call("a.b", "/", "a.b", "C", [.signature("a")]), .call("a.b", "/", "a.b", "C", [.structure([])]),
            .call("a.b", "/", "a.b", "C", [.array("s", [.byte(1)])]), .call("a.b", "/", "a.b", "C", [.array("", [])]),
            .call("a.b", "/", "a.b", "C", [.variant(.array("s", [.string("\0")]))]),
            .call("a.b", "/", "a.b", "C", [.dictionary("v", "s", [])]),
            .call("a.b", "/", "a.b", "C", [.variant(.structure([]))]),
        ])
    func refusesToSend(message: BusMessage) async throws {
        try await withBus { bus in
            let client = try await BusConnection.open(bus.address)
            let error = await #expect(throws: BusError.self) { try await client.call(message) }
            if case .malformed = error {} else { Issue.record("\(error.debugDescription)") }
            // The connection still works.
            #expect(try await client.take(Self.name))
            await client.close()
        }
    }

    @Test func aCallWithoutServiceIsRefusedByTheBus() async throws {
        try await withBus { bus in
            let client = try await BusConnection.open(bus.address)
            let error = await #expect(throws: BusError.self) { try await client.call(Self.echo("Echo")) }
            guard case .refused(let refusal) = error else { throw try #require(error) }
            #expect(refusal.name == BusRefusal.serviceUnknown)
            await client.close()
        }
    }

    @Test func aRefusalAndAnInvalidAnswerReachTheCaller() async throws {
        try await withBus { bus in
            let service = try await BusConnection.open(bus.address, handler: Echo())
            #expect(try await service.take(Self.name))
            let client = try await BusConnection.open(bus.address)
            await #expect(throws: BusError.refused(BusRefusal("org.example.Refused", "refused"))) {
                try await client.call(Self.echo("Refuse"))
            }
            await #expect(
                throws: BusError.refused(
                    BusRefusal("org.freedesktop.DBus.Error.Failed", "the service has no valid answer"))
            ) { try await client.call(Self.echo("Spoil")) }
            await client.close()
            await service.close()
        }
    }

    @Test func aNameBelongsToOneConnection() async throws {
        try await withBus { bus in
            let first = try await BusConnection.open(bus.address)
            let second = try await BusConnection.open(bus.address)
            #expect(try await first.take(Self.name))
            #expect(try await !second.take(Self.name))
            await first.close()
            await second.close()
        }
    }

    @Test func aSilentServiceIsGivenUp() async throws {
        try await withBus { bus in
            let service = try await BusConnection.open(bus.address, handler: Echo())
            #expect(try await service.take(Self.name))
            let client = try await BusConnection.open(bus.address)
            var hasty = BusConnection.Configuration()
            hasty.answerLimit = .zero
            // Even the bus's first answer comes too late.
            await #expect(throws: BusError.self) { try await BusConnection.open(bus.address, hasty) }
            let waiting = Task { try await client.call(Self.echo("Wait")) }
            _ = try await client.call(Self.echo("Echo"))
            await client.close()
            await #expect(throws: BusError.closed) { try await waiting.value }
            await #expect(throws: BusError.closed) { try await client.call(Self.echo("Echo")) }
            await service.close()
        }
    }

    @Test func aSignalReachesAListener() async throws {
        try await withBus { bus in
            let handler = Echo()
            let listener = try await BusConnection.open(bus.address, handler: handler)
            try await listener.listen("type='signal',interface='org.example.Echo'")
            let sender = try await BusConnection.open(bus.address)
            sender.send(.signal("/echo", Self.name, "Changed", [.byte(7)]))
            let signal = await handler.signals.next()
            #expect(signal?.body == [.byte(7)])
            #expect(signal?.sender == sender.uniqueName)
            await listener.close()
            await sender.close()
        }
    }

    @Test func theEndOfTheBusEndsAConnection() async throws {
        let bus = try await BusDaemon.start()
        let handler = Echo()
        let connection = try await BusConnection.open(bus.address, handler: handler)
        await bus.stop()
        await handler.ended.next()
        await #expect(throws: BusError.closed) { try await connection.call(Self.echo("Echo")) }
        await connection.close()
        #expect(!bus.isRunning)
    }

    @Test("A bus whose owner ends without stopping it, as with a killed process, ends and leaves no folder")
    func endsWithItsOwner() async throws {
        let handler = Echo()
        var bus: BusDaemon? = try await BusDaemon.start()
        let address = try #require(bus?.address)
        let connection = try await BusConnection.open(address, handler: handler)
        bus = nil
        await handler.ended.next()
        await connection.close()
        let socket = try #require(address.firstMatch(of: /path=([^,]+)/)?.output.1)
        while FileManager.default.fileExists(atPath: String(socket)) { await Task.yield() }
        #expect(bus == nil)
    }

    @Test(
        "An address without a bus is an error",
        arguments: ["", "unix:", "unix:path=/nonexistent/bus", "tcp:host=127.0.0.1,port=1", "\0", "nonsense:a=b"])
    func refusesAddress(address: String) async throws {
        let error = await #expect(throws: BusError.self) { try await BusConnection.open(address) }
        guard case .unreachable(address, _) = error else { throw try #require(error) }
    }

    @Test func aMissingOrSilentDaemonIsAnError() async throws {
        let folder = try TemporaryFolder()
        let silent = folder.path("silent")
        try Data("#!/bin/sh\nexec sleep 3600\n".utf8).write(to: URL(filePath: silent))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: silent)
        let error = await #expect(throws: RadioError.self) { try await BusDaemon.start("touchstone-no-daemon") }
        guard case .noBusDaemon(let problem) = error else { throw try #require(error) }
        #expect(problem.contains("touchstone-no-daemon"))
        await #expect(throws: RadioError.noBusDaemon("true says no address")) { try await BusDaemon.start("true") }
        await #expect(throws: RadioError.noBusDaemon("\(silent) says no address")) {
            try await BusDaemon.start(silent, patience: .milliseconds(10))
        }
    }

    @Test func aServerThatSaysNothingIsGivenUp() async throws {
        let server = try SilentServer()
        var configuration = BusConnection.Configuration()
        configuration.answerLimit = .milliseconds(100)
        let address = "tcp:host=127.0.0.1,port=\(server.port)"
        let error = await #expect(throws: BusError.self) { try await BusConnection.open(address, configuration) }
        guard case .unreachable(address, _) = error else { throw try #require(error) }
    }

    @Test func anotherProgramCallsAService() async throws {
        try await withBus { bus in
            let service = try await BusConnection.open(bus.address, handler: Echo())
            #expect(try await service.take(Self.name))
            let answer = try await ForeignProgram.gdbus(
                bus, "call", "--dest", Self.name, "--object-path", "/echo", "--method", "\(Self.name).Echo",
                "{'a': <[byte 0x01, 0x02]>, 'b': <{'c': <true>}>}", "int64 -5")
            #expect(answer.text == "({'a': <[byte 0x01, 0x02]>, 'b': <{'c': <true>}>}, int64 -5)\n")
            let descriptor = try await ForeignProgram.gdbus(
                bus, "call", "--dest", Self.name, "--object-path", "/echo", "--method", "\(Self.name).Refuse")
            #expect(descriptor.status == 1)
            #expect(descriptor.text.contains("org.example.Refused: refused"))
            await service.close()
        }
    }
}

/// A TCP server on loopback that accepts connections and says nothing.
private final class SilentServer: Sendable {
    struct Failed: Error {
        let number = errno
    }

    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) + listen(descriptor, 8) + getsockname(descriptor, address, &length)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard result == 0 else { throw Failed() }
    }

    deinit { close(descriptor) }
}
