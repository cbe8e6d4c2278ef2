package import CTAP
package import CTAPHID
internal import Synchronization

/// Runs a ``CTAPDevice`` behind CTAPHID, over any carrier of reports.
///
/// An endpoint passes incoming reports to ``receive(_:from:)`` and supplies `send` for outgoing ones. The runner does
/// the rest: it drives the ``CTAPHIDServer``, runs and cancels the current command, and handles timers and power.
///
/// ```swift
/// let runner = CTAPHIDServerRunner<SocketAddress>(device: device) { reports, address in send(reports, address) }
/// runner.receive(report, from: address)
/// ```
///
/// Commands reach the device one after the other. An aborted command is cancelled, and the next one waits for it to
/// end. A power cycle does not wait.
package final class CTAPHIDServerRunner<Peer: Sendable>: Sendable {
    private struct State {
        var server: CTAPHIDServer<Peer>
        var command: (id: CTAPHIDRequest.ID, task: Task<Void, Never>)?
        /// The work that the next command waits for.
        var last: Task<Void, Never>?
        /// Reports delayed by a fault.
        var lateReports: Task<Void, any Error>?
        var timer: Duration?
        var isPoweredOff = false
        /// Reports received while the power is off.
        var heldReports: [(report: [UInt8], peer: Peer)] = []
        var isClosed = false
    }

    /// The most reports kept while the power is off: two of the longest messages.
    private let heldReportLimit = 258

    private let device: any CTAPDevice
    private let u2f: U2FHandler?
    private let onWink: @Sendable () -> Void
    private let onUnplug: @Sendable () -> Void
    private let faults: TransportFaults?
    private let executor: (any TaskExecutor)?
    private let send: @Sendable (_ reports: [[UInt8]], Peer) -> Void
    private let time: RunnerTime
    private let state: Mutex<State>

    /// - Parameters:
    ///   - device: the device that answers; a ``PowerCyclable`` one takes part in power cycles.
    ///   - u2f: answers MSG; without it MSG is refused. CBOR and NMSG are advertised accordingly.
    ///   - onWink: called when the device should identify itself; it must not call the runner.
    ///   - onUnplug: called after the last reports when a fault unplugs the device; it must not call the runner.
    ///   - executor: runs the commands; nil runs them on the threads of the process.
    ///   - send: sends reports, in order. It must return at once and must not call the runner.
    package init(
        device: any CTAPDevice, u2f: U2FHandler? = nil,
        configuration: CTAPHIDServerConfiguration = CTAPHIDServerConfiguration(), time: RunnerTime = .monotonic(),
        onWink: @escaping @Sendable () -> Void = {}, onUnplug: @escaping @Sendable () -> Void = {},
        faults: TransportFaults? = nil, executor: (any TaskExecutor)? = nil,
        send: @escaping @Sendable (_ reports: [[UInt8]], Peer) -> Void
    ) {
        var configuration = configuration
        if !device.answersCTAP2 { configuration.capabilities.remove(.cbor) }
        // NMSG always agrees with `u2f`.
        if u2f == nil {
            configuration.capabilities.insert(.noMessage)
        } else {
            configuration.capabilities.remove(.noMessage)
        }
        self.device = device
        self.u2f = u2f
        self.onWink = onWink
        self.onUnplug = onUnplug
        self.faults = faults
        self.executor = executor
        self.send = send
        self.time = time
        state = Mutex(State(server: CTAPHIDServer(configuration: configuration)))
    }

    package func receive(_ report: [UInt8], from peer: Peer) { state.withLock { receive(report, from: peer, &$0) } }

    /// Switches the device's power off and on, as unplugging and plugging in do; returns when the power is back.
    package func powerCycle() async {
        faults?.plugIn()
        let powerUp = state.withLock { state in
            perform(state.server.powerCycle(), &state)
            return state.last
        }
        await powerUp?.value
    }

    package func close() {
        state.withLock { state in
            state.isClosed = true
            state.command?.task.cancel()
            state.timer = nil
            state.lateReports?.cancel()
            state.heldReports = []
        }
    }

    // MARK: Under the lock

    // Packets are also sent under the lock, so that no keepalive follows the answer it belongs to.

    private func receive(_ report: [UInt8], from peer: Peer, _ state: inout State) {
        if let faults, faults.isUnplugged {
            // Only a power cycle reaches an unplugged device.
            guard state.server.isPowerCycle(report) else { return }
            faults.plugIn()
        }
        guard !state.isPoweredOff else {
            if state.heldReports.count < heldReportLimit { state.heldReports.append((report, peer)) }
            return
        }
        state.server.answersInitWhileBusy = faults?.answersInitWhileBusy ?? false
        perform(state.server.receive(report, from: peer, now: time.now()), &state)
    }

    private func perform(_ actions: [CTAPHIDServerAction<Peer>], _ state: inout State) {
        guard !state.isClosed else { return }
        let losesPower = actions.contains { if case .powerCycle = $0 { true } else { false } }
        for action in actions {
            switch action {
            // The loss of power ends the command, before its task.
            case .cancel where losesPower: break
            case .send(let packets, let peer): send(packets, to: peer, &state)
            case .start(let request): start(request, &state)
            case .cancel(let id): if state.command?.id == id { state.command?.task.cancel() }
            case .wink: onWink()
            case .powerCycle: powerCycle(&state)
            }
        }
        armTimer(&state)
    }

    private func send(_ packets: [CTAPHIDPacket], to peer: Peer, _ state: inout State) {
        guard let faults else { return send(packets.map(\.report), peer) }
        let reports = faults.changed(packets)
        let prompt = reports.prefix { $0.delay == .zero }
        if !prompt.isEmpty { send(prompt.map(\.bytes), peer) }
        if faults.isUnplugged { onUnplug() }
        let late = Array(reports[prompt.endIndex...])
        guard !late.isEmpty else { return }
        state.lateReports = Task { [before = state.lateReports] in
            // Delayed reports keep their order.
            _ = try await before?.value
            for report in late {
                if report.delay > .zero { try await time.sleep(time.now() + report.delay) }
                try Task.checkCancellation()
                self.state.withLock { if !$0.isClosed { send([report.bytes], peer) } }
            }
        }
    }

    private func start(_ request: CTAPHIDRequest, _ state: inout State) {
        let task = Task(executorPreference: executor) { [self, last = state.last] in
            await last?.value
            await run(request)
        }
        state.command = (request.id, task)
        state.last = task
    }

    private func powerCycle(_ state: inout State) {
        state.lateReports?.cancel()
        state.lateReports = nil
        let command = state.command?.task
        guard let device = device as? any PowerCyclable else {
            command?.cancel()
            state.last = nil
            return
        }
        state.isPoweredOff = true
        state.last = Task {
            await device.powerCycle()
            command?.cancel()
            self.state.withLock { powerIsBack(&$0) }
        }
    }

    private func powerIsBack(_ state: inout State) {
        state.isPoweredOff = false
        let held = state.heldReports
        state.heldReports = []
        // One of them may switch the power off again; the rest is then held again.
        for (report, peer) in held { receive(report, from: peer, &state) }
    }

    /// Arms a timer unless one fires early enough; reusing it is cheaper than a timer per command.
    private func armTimer(_ state: inout State) {
        guard let deadline = state.server.deadline else { return }
        if let timer = state.timer, timer <= deadline { return }
        state.timer = deadline
        time.call(deadline) { [weak self] in self?.fireTimer(deadline) }
    }

    private func fireTimer(_ deadline: Duration) {
        state.withLock { state in
            guard state.timer == deadline else { return }
            state.timer = nil
            perform(state.server.tick(now: time.now()), &state)
        }
    }

    // MARK: The running command

    private func run(_ request: CTAPHIDRequest) async {
        // An aborted request that has not started never reaches the device; a cancelled one does, for its answer.
        guard state.withLock({ $0.server.runs(request.id) }) else { return }
        do throws(CTAPDeviceError) {
            let answer = try await respond(to: request)
            state.withLock { perform($0.server.answer(request.id, with: answer, now: time.now()), &$0) }
        } catch {
            let code: CTAPHIDErrorCode = error == .busy ? .channelBusy : .other
            state.withLock { perform($0.server.fail(request.id, with: code, now: time.now()), &$0) }
        }
    }

    private func respond(to request: CTAPHIDRequest) async throws(CTAPDeviceError) -> [UInt8] {
        switch request.kind {
        case .cbor:
            return try await device.transceive(request.payload) { [self] status in
                state.withLock {
                    perform($0.server.keepaliveStatus(of: request.id, is: status, now: time.now()), &$0)
                }
            }
        case .message:
            guard let u2f else { throw .protocolViolation("this device has no U2F") }
            return try await u2f(request.payload)
        }
    }
}
