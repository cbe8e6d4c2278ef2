import CTAP
import CTAPNFC
import Synchronization
import TestSupport

/// A card that follows a script: it expects each command and gives its response, both as hexadecimal digits.
final class ScriptedChannel: APDUChannel {
    private let turns: Mutex<[Turn]>
    private let surprises = Mutex<[String]>([])

    init(_ turns: [Turn]) {
        self.turns = Mutex([Turn(CardBench.select, "5532465F5632 9000")] + turns)
    }

    /// The unexpected commands, and the expected ones that are missing.
    var problems: [String] { surprises.withLock { $0 } + turns.withLock { $0.map { "missing: \($0.command)" } } }

    func transmit(_ apdu: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
        guard let turn = turns.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
            throw .disconnected("the card was removed")
        }
        if apdu != [UInt8](hex: turn.command) {
            surprises.withLock { $0.append("\(apdu.hex) instead of \(turn.command)") }
        }
        return [UInt8](hex: turn.response)
    }
}

/// A channel to a card in the same process, which records the commands.
final class DirectChannel: APDUChannel {
    let card: NFCCard
    private let sent = Mutex<[[UInt8]]>([])

    init(_ card: NFCCard) { self.card = card }

    var commands: [[UInt8]] { sent.withLock { $0 } }

    func transmit(_ apdu: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
        sent.withLock { $0.append(apdu) }
        guard let response = await card.transmit(apdu) else { throw .disconnected("no field") }
        return response
    }
}
