package import CTAP
import Synchronization

/// The faults armed between one device and its clients.
package final class TransportFaults: Sendable {
    private struct State {
        var armed = ArmedFaults<TransportFault>()
        var isUnplugged = false
    }

    private let state = Mutex(State())
    private let onChange: @Sendable (TransportFault) -> Void

    /// `onChange` is called with each fault that applies to an answer, and must return at once.
    package init(onChange: @escaping @Sendable (TransportFault) -> Void = { _ in }) {
        self.onChange = onChange
    }

    /// Arms a fault for `times` answers; nil means until ``clear()``.
    package func arm(_ fault: TransportFault, times: Int? = nil) {
        state.withLock { $0.armed.arm(fault, times: times) }
    }

    /// Disarms every fault and plugs the device in again; whether it was unplugged, and so without power.
    @discardableResult
    package func clear() -> Bool {
        state.withLock { state in
            defer { state = State() }
            return state.isUnplugged
        }
    }

    package var armed: [ArmedFaults<TransportFault>.Armed] { state.withLock { $0.armed.all } }

    /// Whether the device is unplugged: it neither receives nor sends.
    package var isUnplugged: Bool { state.withLock { $0.isUnplugged } }

    package var answersInitWhileBusy: Bool { state.withLock { $0.armed.faults.contains { $0.kind == .initWhileBusy } } }

    package func plugIn() { state.withLock { $0.isUnplugged = false } }

    /// The reports to send for a message's packets, after every armed fault.
    package func changed(_ packets: [CTAPHIDPacket]) -> [OutgoingReport] {
        guard case .initialization(let command, _)? = packets.first?.header else { return [] }
        let (reports, faults) = state.withLock { state -> ([OutgoingReport], [TransportFault]) in
            guard !state.isUnplugged else { return ([], []) }
            let unchanged = packets.map { OutgoingReport(packet: $0) }
            guard !state.armed.isEmpty else { return (unchanged, []) }
            let faults = state.armed.faults.filter { $0.applies(to: command) }
            let reports = faults.reduce(unchanged) { $1.changed($0) }
            if faults.contains(where: \.unplugs) { state.isUnplugged = true }
            if command != .keepalive { state.armed.countDown { $0.isCounted(by: command) } }
            return (reports, faults)
        }
        faults.forEach(onChange)
        return reports
    }
}

extension TransportFault {
    fileprivate var unplugs: Bool { if case .unplugged = kind { true } else { false } }

    /// Whether an answer counts against this fault; silence counts every answer except INIT's.
    fileprivate func isCounted(by command: CTAPHIDCommand) -> Bool {
        applies(to: command) || (kind == .keepaliveSilence && command != .initialize)
    }
}
