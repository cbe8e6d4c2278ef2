import CTAP
import CTAPNFC
import DeviceProfiles
import MachineLook
import MachineNeeds
import SecurityKeys
import SimulatedDevice
import Testing
import Transports
import VirtualAuthenticator

extension Readers {
    /// Readers and the keys on them.
    @Suite(.serialized, .readerStack) struct ReaderListTests {
        @Test func keysArriveAndAreRemoved() async throws {
            let stack = try ReaderStack.required()
            #expect(try await PCSCReader.all() == stack.readers.map { PCSCReader(name: $0, content: .nothing) })
            try await LaidDevice.with { laid in
                let answerToReset = AnswerToReset(of: NFCCard.Configuration()).bytes
                #expect(
                    try await PCSCReader.all() == [
                        PCSCReader(name: stack.readers[0], content: .card(answerToReset: answerToReset)),
                        PCSCReader(name: stack.readers[1], content: .nothing),
                    ])
                for _ in 1...2 {
                    try await laid.lift()
                    #expect(try await PCSCReader.all().allSatisfy { $0.content == .nothing })
                    try await laid.layDown()
                }
            }
        }

        @Test func aLookAtTheMachineFindsServiceAndReaders() async throws {
            let stack = try ReaderStack.required()
            let machine = ThisMachine(asksVersions: false)
            #expect(await machine.look(at: .reader) == .usable(stack.readers.joined(separator: ", ")))
            guard case .usable = await machine.look(at: .pcscd) else {
                Issue.record("pcscd runs and is not found")
                return
            }
            try await LaidDevice.with { _ in
                let names = ["\(stack.readers[0]) with a card", stack.readers[1]]
                #expect(await machine.look(at: .reader) == .usable(names.joined(separator: ", ")))
            }
        }

        @Test func twoKeysOnTwoReadersAreDistinct() async throws {
            try await LaidDevice.with("security-key-complete") { first in
                try await LaidDevice.with("security-key-pin", slot: 1) { second in
                    let one = try await first.open()
                    let two = try await second.open()
                    let models = try await [one, two].asyncMap { try await AuthenticatorClient($0).getInfo().aaguid }
                    #expect(
                        models == [
                            first.device.profile.authenticator.aaguid, second.device.profile.authenticator.aaguid,
                        ])
                    await one.close()
                    await two.close()
                    // Without a name, the first reader with a key is used.
                    let any = try await NFCSecurityKey.open()
                    #expect(try await AuthenticatorClient(any).getInfo().aaguid == models[0])
                    await any.close()
                }
            }
        }

        @Test func missingPartsAreNamed() async throws {
            let stack = try ReaderStack.required()
            let names = stack.readers.joined(separator: ", ")
            await #expect(
                throws: CTAPDeviceError.disconnected("no card is on any reader (\(names)); place the key on it")
            ) { try await NFCSecurityKey.open() }
            await #expect(throws: FieldLossTests.noCard(stack.readers[1])) {
                try await NFCSecurityKey.open(reader: stack.readers[1])
            }
            await #expect(throws: CTAPDeviceError.disconnected("no reader is named Omnikey; choose one of \(names)")) {
                try await NFCSecurityKey.open(reader: "Omnikey")
            }
            await #expect(
                throws: CTAPDeviceError.disconnected("Touchstone matches several readers; choose one of \(names)")
            ) {
                try await NFCSecurityKey.open(reader: "Touchstone")
            }
        }

        @Test func aKeyInUseIsBusy() async throws {
            try await LaidDevice.with { laid in
                let key = try await laid.open()
                await #expect(throws: CTAPDeviceError.busy) { try await laid.open() }
                await key.close()
                let next = try await laid.open()
                #expect(try await next.transceive([0x04]).first == 0)
                await next.close()
            }
        }

        @Test func aReaderHasRoomForOneCard() async throws {
            try await LaidDevice.with { laid in
                var configuration = VPCDEndpoint.Configuration()
                configuration.port = try ReaderStack.required().port
                configuration.insertionTimeout = .seconds(3)
                let other = laid.device.authenticator
                await #expect(throws: CTAPDeviceError.self) {
                    try await VPCDEndpoint.connect(device: other, configuration: configuration)
                }
                let key = try await laid.open()
                #expect(try await key.transceive([0x04]).first == 0)
                await key.close()
            }
        }
    }

    /// A machine without a reader stack.
    @Suite(.serialized) struct WithoutPCSCDTests {
        @Test func theErrorNamesTheRemedy() async {
            let error = CTAPDeviceError.disconnected(
                "pcscd is not running; install it (on Debian, apt install pcscd) and start it; "
                    + "`touchstone doctor --for nfc` says more")
            await #expect(throws: error) { try await PCSCReader.all() }
            await #expect(throws: error) { try await NFCSecurityKey.open() }
        }

        @Test func anEndpointNamesTheReaderItDoesNotFind() async {
            var configuration = VPCDEndpoint.Configuration()
            configuration.port = 1
            do {
                _ = try await VPCDEndpoint.connect(device: NoDevice(), configuration: configuration)
                Issue.record("a reader on port 1")
            } catch {
                #expect(
                    error
                        == .disconnected(
                            """
                            no virtual reader at 127.0.0.1:1 (Connection refused): install vsmartcard-vpcd and start pcscd; \
                            `touchstone doctor --for virtual-nfc` says more
                            """))
            }
        }

        private struct NoDevice: CTAPDevice {
            func transceive(
                _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
            ) async throws(CTAPDeviceError) -> [UInt8] { [CTAPStatus.other.rawValue] }
        }
    }
}

extension Array {
    fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
        var results: [T] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
