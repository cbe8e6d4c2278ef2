package import CTAP
internal import CTAPNFC
internal import Conformance
internal import Synchronization
internal import WebAuthn

/// The APDUs of a card: commands out, responses in, without a client between.
package final class CardChannel: Sendable {
    private let channel: any APDUChannel
    private let recorder = Mutex<CaseRecorder?>(nil)

    init(_ channel: any APDUChannel) { self.channel = channel }

    func begin(_ recorder: CaseRecorder?) { self.recorder.withLock { $0 = recorder } }

    /// - Throws: `CTAPDeviceError` when the card does not answer.
    package func transmit(_ apdu: [UInt8]) async throws -> ResponseAPDU {
        let answer = try await channel.transmit(apdu)
        recorder.withLock { $0 }?.record(
            CaseExchange(sent: ["APDU \(Self.words(apdu))"], received: ["APDU \(Self.words(answer))"]))
        guard let response = ResponseAPDU(parsing: answer) else {
            throw CTAPDeviceError.protocolViolation("a response of \(answer.count) bytes has no status word")
        }
        return response
    }

    package func transmit(_ command: CommandAPDU) async throws -> ResponseAPDU { try await transmit(command.encoded) }

    @discardableResult
    package func select() async throws -> ResponseAPDU {
        try await transmit(
            CommandAPDU(
                class: 0, instruction: 0xA4, parameter1: 0x04, data: NFCCTAP.applicationID, expectedLength: 256))
    }

    /// The response with all its pieces, fetched by GET RESPONSE.
    package func whole(_ first: ResponseAPDU) async throws -> ResponseAPDU {
        var response = first
        while let count = response.status.moreDataCount, response.data.count < 0x20000 {
            let next = try await transmit(CommandAPDU(class: 0, instruction: 0xC0, expectedLength: count))
            response = ResponseAPDU(response.data + next.data, next.status)
        }
        return response
    }

    private static func words(_ bytes: [UInt8]) -> String {
        Hex.encode(bytes.prefix(32)) + (bytes.count > 32 ? "… (\(bytes.count) bytes)" : "")
    }
}

/// U2F messages over NFC.
struct TransmittedU2F: U2FDevice {
    let client: NFCClient
    let card: any APDUChannel

    /// A message that is not an APDU goes out as it is; the client would refuse it.
    func answerU2F(_ apdu: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
        guard (try? CommandAPDU(parsing: apdu)) != nil else { return try await card.transmit(apdu) }
        return try await client.answerU2F(apdu)
    }
}
