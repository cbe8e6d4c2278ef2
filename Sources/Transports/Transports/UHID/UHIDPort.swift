import Foundation
import Synchronization

/// UHID's descriptor: one event per read, one request per write.
///
/// Linux drops reports that are not read in time (``ReportPace``). A thread that does nothing else therefore reads, and a
/// long answer leaves at a key's pace.
final class UHIDPort: Sendable {
    private struct State {
        var isOpen = true
        var isEnding = false
        /// Changes when the user unplugs the key: earlier reports no longer leave.
        var plugging = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let descriptor: CInt
    private let wakeUp: (reader: CInt, writer: CInt)
    private let handling = DispatchQueue(label: "touchstone.uhid.events")
    private let writing = DispatchQueue(label: "touchstone.uhid.requests")
    private let state = Mutex(State())
    private let pace = Mutex(ReportPace.fromKey)

    /// Takes ownership of a descriptor, which is closed when an error is thrown, too.
    init(descriptor: CInt) throws {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else {
            let code = POSIXErrorCode(rawValue: errno) ?? .EIO
            Foundation.close(descriptor)
            throw POSIXError(code)
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        self.descriptor = descriptor
        wakeUp = (ends[0], ends[1])
    }

    /// Begins to read: `onEvent` receives the events in order, and `onEnd` is called once after the last.
    func start(onEvent: @escaping @Sendable (UHIDEvent) -> Void, onEnd: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in
            // This thread runs before the programs that write. Linux refuses this without CAP_SYS_NICE.
            var priority = sched_param(sched_priority: 1)
            _ = pthread_setschedparam(pthread_self(), SCHED_RR, &priority)
            while let events = read() {
                // A program that writes has read the earlier reports.
                pace.withLock { $0.refill() }
                handling.async { for event in events.compactMap(UHIDEvent.init) { onEvent(event) } }
            }
            state.withLock { $0.isEnding = true }
            handling.async(execute: onEnd)
            writing.async(execute: release)
        }
    }

    /// Writes requests, in the order of the calls; returns at once.
    func write(_ requests: [UHIDRequest]) {
        let plugging = state.withLock { $0.plugging }
        writing.async { [self] in
            for request in requests where state.withLock({ $0.isOpen }) {
                if case .input = request {
                    guard state.withLock({ !$0.isEnding && $0.plugging == plugging }) else { continue }
                    pace.awaitTurn()
                }
                write(request.bytes)
            }
        }
    }

    func dropReports() { state.withLock { $0.plugging += 1 } }

    /// Returns when Linux has the requests of all earlier calls.
    func flush() async {
        await withCheckedContinuation { continuation in
            writing.async { continuation.resume() }
        }
    }

    /// Ends the reading, and drops the reports that still wait.
    func close() {
        // Under the lock: the end of the reading closes this pipe.
        state.withLock { state in
            if !state.isEnding { _ = Foundation.write(wakeUp.writer, [0], 1) }
            state.isEnding = true
        }
    }

    func waitUntilClosed() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if !isOpen { continuation.resume() }
        }
    }

    // MARK: On the reading thread

    /// The bytes of the next events, of as many as Linux keeps; nil at the end.
    private func read() -> [[UInt8]]? {
        var events: [[UInt8]] = []
        while events.count < 32 {
            if state.withLock({ $0.isEnding }) { return nil }
            var count = 0
            let event = [UInt8](unsafeUninitializedCapacity: UHIDEvent.maximumLength) { buffer, length in
                count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
                length = max(0, count)
            }
            if count > 0 {
                events.append(event)
                continue
            }
            guard count < 0, errno == EAGAIN || errno == EINTR else { return events.isEmpty ? nil : events }
            guard events.isEmpty else { return events }
            var ends = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp.reader, events: Int16(POLLIN), revents: 0),
            ]
            poll(&ends, 2, -1)
        }
        return events
    }

    // MARK: On the writing queue

    private func write(_ bytes: [UInt8]) {
        while Foundation.write(descriptor, bytes, bytes.count) < 0 {
            // Linux refuses the reports of a key that is unplugged.
            guard errno == EAGAIN || errno == EINTR else { return }
            var end = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&end, 1, 1000) > 0, end.revents & Int16(POLLOUT) != 0 else { return }
        }
    }

    private func release() {
        for end in [descriptor, wakeUp.reader, wakeUp.writer] { Foundation.close(end) }
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isOpen = false
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
