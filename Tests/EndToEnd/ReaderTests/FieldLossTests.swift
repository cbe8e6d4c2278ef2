import CTAP
import CTAPNFC
import SecurityKeys
import SimulatedDevice
import Testing
import Transports
import VirtualAuthenticator

extension Readers {
    /// The key is removed during a request.
    @Suite(.serialized, .readerStack) struct FieldLossTests {
        /// The command of the request at which the key is removed.
        struct Moment: CustomTestStringConvertible, Sendable {
            let testDescription: String
            let command: Int
            let message: [UInt8]
        }

        static let moments = [
            Moment(testDescription: "before the first part of a request", command: 1, message: longRequest),
            Moment(testDescription: "in the middle of a request in parts", command: 3, message: longRequest),
            Moment(testDescription: "before the last part of a request", command: 5, message: longRequest),
            Moment(
                testDescription: "in the middle of a response in pieces", command: 2,
                message: [CTAPCommand.getInfo.rawValue]),
        ]

        @Test(arguments: moments)
        func aLossIsAClearErrorAndTheNextTapWorks(moment: Moment) async throws {
            try await LaidDevice.with { laid in
                let key = try await laid.open()
                await laid.endpoint.remove(duringCommand: moment.command)
                let loss = CTAPDeviceError.disconnected(
                    "the card on the reader \(laid.reader) stopped answering; it may have been removed")
                await #expect(throws: loss) { try await key.transceive(moment.message) }
                await #expect(throws: loss, "the next request gets the same error") { try await key.transceive([0x04]) }
                await key.close()
                try await laid.waitUntilReader { $0.content == .nothing }
                #expect(await !laid.endpoint.isInserted)
                await #expect(throws: Self.noCard(laid.reader)) { try await laid.open() }

                try await laid.layDown()
                let next = try await laid.open()
                #expect(try await AuthenticatorClient(next).getInfo().versions.contains("FIDO_2_3"))
                #expect(try await next.transceive(Self.longRequest) == [CTAPStatus.noCredentials.rawValue])
                await next.close()
            }
        }

        @Test func aLossCancelsTheKeysWait() async throws {
            try await LaidDevice.with(habit: .ask, settings: "nfc-presence: touch") { laid in
                let key = try await laid.open { $0.takesUpdates = false }
                let task = Task { try await key.transceive([CTAPCommand.selection.rawValue]) }
                // A real pcscd adds a delay.
                while await laid.person.openPrompt == nil { try await Task.sleep(for: .milliseconds(10)) }
                await laid.endpoint.remove()
                await #expect(throws: CTAPDeviceError.self) { try await task.value }
                #expect(await laid.person.openPrompt == nil)
                try await laid.waitUntilReader { $0.content == .nothing }
                try await laid.layDown()
                let next = try await laid.open()
                #expect(try await next.transceive([0x04]).first == 0)
                await next.close()
            }
        }

        static func noCard(_ reader: String) -> CTAPDeviceError {
            .disconnected("no card is on the reader \(reader); place the key on it")
        }

        static let longRequest = SecurityKeyTests.longRequest
    }
}
