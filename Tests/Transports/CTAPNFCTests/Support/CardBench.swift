import CTAP
import CTAPNFC
import TestSupport
import Testing

/// A card in a field, on a clock that only the test advances.
struct CardBench {
    static let select = "00A4040008 A0000006472F0001 00"

    let device: ScriptedDevice
    let clock = ManualClock()
    let card: NFCCard

    /// - Parameters:
    ///   - u2f: Whether the card supports U2F; it then answers with the request.
    ///   - ctap2: Whether the card supports CTAP2.
    init(
        u2f: Bool = false, ctap2: Bool = true, configuration: NFCCard.Configuration = NFCCard.Configuration()
    ) async {
        device = ScriptedDevice(answersCTAP2: ctap2)
        let handler: U2FHandler = { apdu throws(CTAPDeviceError) in apdu + [0x90, 0x00] }
        card = NFCCard(device: device, u2f: u2f ? handler : nil, configuration: configuration, clock: clock)
        await card.powerOn()
    }

    /// A card whose application is selected.
    static func selected(
        u2f: Bool = false, configuration: NFCCard.Configuration = NFCCard.Configuration()
    ) async -> CardBench {
        let bench = await CardBench(u2f: u2f, configuration: configuration)
        _ = await bench.send(select)
        return bench
    }

    /// Sends a command and returns the response, both as hexadecimal digits; `nil` without a field.
    func send(_ command: String) async -> String? {
        await card.transmit([UInt8](hex: command))?.hex
    }

    /// Sends a command and advances the clock, by the times the card waits for, until it answers.
    ///
    /// - Parameter event: an event of the device before which the clock stays; its task may start late on a busy machine.
    func sendAndWait(_ command: String, until event: String? = nil) async -> String? {
        let end = Duration.seconds(-1)
        async let answer = {
            let answer = await send(command)
            clock.fellAsleep.continuation.yield(end)
            return answer
        }()
        for await deadline in clock.fellAsleep.stream {
            if deadline == end { break }
            while let event, !device.events.contains(event) { await Task.yield() }
            if deadline > clock.now.offset { clock.advance(by: deadline - clock.now.offset) }
        }
        return await answer
    }
}

/// One command and the card's response, as hexadecimal digits.
struct Turn: Sendable {
    let command: String
    let response: String

    init(_ command: String, _ response: String) {
        self.command = command
        self.response = [UInt8](hex: response).hex
    }
}
