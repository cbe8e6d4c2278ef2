import CBOR
import CTAP
import SimulatedDevice
import Synchronization
import Testing

/// One change on the wire between the suite and an authenticator without defects.
struct WireChange: Sendable, CustomTestStringConvertible {
    /// Answers one message; may ask the authenticator.
    typealias Answer = @Sendable (Turn) async throws -> [UInt8]

    let name: String
    /// Patterns of the cases that must fail; empty if no clause forbids the change.
    ///
    /// Each matches an identifier, or a prefix before a dot.
    let cases: [String]
    let answer: Answer
    /// Runs after each power cycle.
    var onPowerCycle: @Sendable (SimulatedDevice, Memory) async -> Void = { _, memory in memory.forget() }

    var testDescription: String { name }

    init(_ name: String, _ cases: [String], answer: @escaping Answer) {
        self.name = name
        self.cases = cases
        self.answer = answer
    }

    /// Whether a case is about the change.
    func concerns(_ identifier: String) -> Bool { cases.contains { Self.matches(identifier, $0) } }

    static func matches(_ identifier: String, _ pattern: String) -> Bool {
        guard let expression = try? Regex("(?:\(pattern))(?:\\..*)?") else { return false }
        return identifier.wholeMatch(of: expression) != nil
    }
}

extension WireChange {
    /// A message on its way to the authenticator.
    struct Turn: Sendable {
        let message: [UInt8]
        let device: SimulatedDevice
        let memory: Memory
        fileprivate let inner: any CTAPDevice
        fileprivate let onKeepalive: @Sendable (KeepaliveStatus) -> Void

        var command: CTAPCommand? { message.first.flatMap(CTAPCommand.init(rawValue:)) }

        /// The parameters, also of a message that is not canonical; nil for another type than a map.
        var parameters: CBOR.Map? {
            guard case .map(let map)? = try? CBOR.decode(message, from: 1, options: .lenient) else { return nil }
            return map
        }

        var subcommand: Int? {
            guard let parameters else { return nil }
            let place = command == .clientPIN || command == .bioEnrollment ? 0x02 : 0x01
            guard case .unsigned(let number)? = parameters[place] else { return nil }
            return Int(exactly: number)
        }

        func pass(_ message: [UInt8]) async throws -> [UInt8] {
            try await inner.transceive(message, onKeepalive: onKeepalive)
        }

        /// The answer of the authenticator to the message as it is.
        func passed() async throws -> [UInt8] { try await pass(message) }

        /// The answer of the authenticator to the message with other parameters.
        func passed(_ parameters: CBOR.Map) async throws -> [UInt8] {
            try await pass(message.prefix(1) + CBOR.encode(.map(parameters)))
        }
    }

    /// The memory of a change; by default a power cycle clears it.
    final class Memory: Sendable {
        private let state = Mutex(0)

        var count: Int {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }

        func forget() { count = 0 }
    }
}

/// An authenticator with one change on the wire.
struct ChangedDevice: CTAPDevice, PowerCyclable {
    let inner: any CTAPDevice & PowerCyclable
    let device: SimulatedDevice
    let change: WireChange
    let memory: WireChange.Memory

    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        let turn = WireChange.Turn(
            message: message, device: device, memory: memory, inner: inner, onKeepalive: onKeepalive)
        do {
            return try await change.answer(turn)
        } catch {
            throw (error as? CTAPDeviceError) ?? .protocolViolation("\(error)")
        }
    }

    func powerCycle() async {
        await inner.powerCycle()
        await change.onPowerCycle(device, memory)
    }
}
