package import CTAP
package import CTAPHybrid
internal import Synchronization

/// A fault of the connection between a phone and the computer whose QR code it scans.
package struct ConnectionFault: Hashable, Sendable {
    package let kind: HybridConnectionFault
    /// The fault as it was written, with its argument.
    package let spelling: String
}

/// The armed faults of a phone's hybrid connections.
package final class ConnectionFaults: Sendable {
    private let state = Mutex(ArmedFaults<ConnectionFault>())
    private let record: @Sendable (ConnectionFault) -> Void

    /// - Parameter record: receives each fault that has an effect.
    package init(record: @escaping @Sendable (ConnectionFault) -> Void) { self.record = record }

    /// Arms a fault for a number of connections; nil means until ``clear()``.
    package func arm(_ fault: ConnectionFault, times: Int? = nil) { state.withLock { $0.arm(fault, times: times) } }

    package func clear() { state.withLock { $0.clear() } }

    package var armed: [ArmedFaults<ConnectionFault>.Armed] { state.withLock { $0.all } }

    /// The armed fault of the computer's adapter, which counts no connection.
    package var adapter: AdapterFault? {
        for fault in state.withLock(\.faults) { if case .adapter(let fault) = fault.kind { return fault } }
        return nil
    }

    /// Records that the fault of the adapter has its effect.
    package func applyToAdapter() {
        let fault = state.withLock(\.faults).first { if case .adapter = $0.kind { true } else { false } }
        if let fault { record(fault) }
    }

    /// The faults of a connection that begins, which counts against each that can have an effect on it; the others wait.
    package func begin(admitting admits: (HybridConnectionFault) -> Bool = { _ in true }) -> Connection {
        Connection(faults: state.withLock { $0.countDown { admits($0.kind) } }, record: record)
    }

    /// The armed faults that can have no effect on a connection, as they are written.
    package func idle(admitting admits: (HybridConnectionFault) -> Bool) -> [String] {
        state.withLock(\.faults).filter { !admits($0.kind) }.map(\.spelling)
    }

    /// The faults of one connection.
    package struct Connection: Sendable {
        private let faults: [ConnectionFault]
        private let record: @Sendable (ConnectionFault) -> Void

        fileprivate init(faults: [ConnectionFault], record: @escaping @Sendable (ConnectionFault) -> Void) {
            (self.faults, self.record) = (faults, record)
        }

        package var all: [HybridConnectionFault] { faults.map(\.kind) }

        /// Records that a fault has an effect.
        package func apply(_ kind: HybridConnectionFault) {
            for fault in faults where fault.kind == kind { record(fault) }
        }
    }
}
