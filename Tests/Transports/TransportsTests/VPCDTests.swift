import CTAP
import CTAPNFC
import NIOCore
import NIOPosix
import TestSupport
import Testing
import Transports

/// The card's side of vpcd's protocol, with a reader that is only a socket.
@Suite("vpcd", .timeLimit(.minutes(30)))
struct VPCDTests {
    private static let select = "00A4040008 A0000006472F0001 00"

    @Test func aReaderPowersTheCardAndExchangesCommands() async throws {
        try await VirtualReader.with { reader, configuration in
            let device = ScriptedDevice()
            async let inserting = VPCDEndpoint.connect(device: device, configuration: configuration)
            let visit = try await reader.nextCard()
            try await visit.send("04")
            #expect(await visit.receive() == AnswerToReset(of: NFCCard.Configuration()).bytes.hex)
            try await visit.send("01")
            let endpoint = try await inserting
            #expect(await endpoint.isInserted)
            try await visit.send(Self.select)
            #expect(await visit.receive() == "4649444f5f325f309000")
            try await visit.send("80100000 0104 00")
            #expect(await visit.receive() == "00049000")
            // The card loses its selection without power.
            try await visit.send("00")
            try await visit.send("01")
            try await visit.send("80100000 0104 00")
            #expect(await visit.receive() == "6d00")
            #expect(device.events == ["power cycle", "request 4", "power cycle"])
            await endpoint.close()
            #expect(await visit.receive() == nil)
        }
    }

    @Test func messagesMayArriveInPiecesOrTogether() async throws {
        try await VirtualReader.with { reader, configuration in
            async let inserting = VPCDEndpoint.connect(device: ScriptedDevice(), configuration: configuration)
            let visit = try await reader.nextCard()
            let select = [UInt8](hex: Self.select)
            let bytes: [UInt8] = [0, 1, 1] + [0, UInt8(select.count)] + select + [0, 1, 4, 0, 1, 9, 0, 0, 0, 1, 4]
            for byte in bytes.prefix(10) { try await visit.sendBytes([byte]) }
            try await visit.sendBytes(Array(bytes.dropFirst(10)))
            #expect(await visit.receive() == "4649444f5f325f309000")
            // Unknown control codes and empty messages are ignored.
            let answerToReset = AnswerToReset(of: NFCCard.Configuration()).bytes.hex
            #expect(await visit.receive() == answerToReset)
            #expect(await visit.receive() == answerToReset)
            try await inserting.close()
        }
    }

    @Test func aCardLeavesDuringACommandAndReturns() async throws {
        try await VirtualReader.with { reader, configuration in
            let device = ScriptedDevice()
            async let inserting = VPCDEndpoint.connect(device: device, configuration: configuration)
            let visit = try await reader.nextCard()
            try await visit.send("01")
            let endpoint = try await inserting
            await endpoint.remove(duringCommand: 2)
            try await visit.send(Self.select)
            #expect(await visit.receive() == "4649444f5f325f309000")
            try await visit.send("80100000 0104 00")
            #expect(await visit.receive() == nil)
            #expect(device.events == ["power cycle"])
            #expect(await !endpoint.isInserted)

            async let again: Void = endpoint.insert()
            let second = try await reader.nextCard()
            try await second.send("01")
            try await again
            #expect(await endpoint.isInserted)
            await endpoint.close()
        }
    }

    @Test func aReaderThatDisconnectsEndsTheCommandAndTheEndpoint() async throws {
        try await VirtualReader.with { reader, configuration in
            let device = ScriptedDevice()
            async let inserting = VPCDEndpoint.connect(device: device, configuration: configuration)
            let visit = try await reader.nextCard()
            try await visit.send("01")
            let endpoint = try await inserting
            try await visit.send(Self.select)
            _ = await visit.receive()
            try await visit.send("80100000 0101 00")
            while !device.events.contains("request 1") { await Task.yield() }
            await visit.close()
            let port = configuration.port
            await #expect(
                throws: CTAPDeviceError.disconnected("the reader at 127.0.0.1:\(port) disconnected: pcscd has ended")
            ) { try await endpoint.run() }
            while !device.events.contains("cancelled") { await Task.yield() }
            await #expect(throws: CTAPDeviceError.disconnected("the endpoint is closed")) {
                try await endpoint.insert()
            }
        }
    }

    @Test func aReaderThatDoesNotDetectTheCardIsATimeOut() async throws {
        try await VirtualReader.with { _, configuration in
            var configuration = configuration
            configuration.insertionTimeout = .milliseconds(50)
            await #expect(
                throws: CTAPDeviceError.timedOut(
                    "the reader at 127.0.0.1:\(configuration.port) did not detect the card; "
                        + "remove any other card, or restart pcscd")
            ) { try await VPCDEndpoint.connect(device: ScriptedDevice(), configuration: configuration) }
        }
    }

    @Test func aCancelledRunDisconnectsFromTheReader() async throws {
        try await VirtualReader.with { reader, configuration in
            async let inserting = VPCDEndpoint.connect(device: ScriptedDevice(), configuration: configuration)
            let visit = try await reader.nextCard()
            try await visit.send("01")
            let endpoint = try await inserting
            let task = Task { try await endpoint.run() }
            task.cancel()
            try await task.value
            #expect(await visit.receive() == nil)
            #expect(await !endpoint.isInserted)
        }
    }
}
