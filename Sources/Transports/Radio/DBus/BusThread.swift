import CDBus
internal import Foundation
internal import Synchronization

/// The thread of a connection; only it calls libdbus.
final class BusThread: Sendable {
    /// A request to the thread.
    private enum Request: Sendable {
        case send(BusMessage)
        case call(BusMessage, CheckedContinuation<[BusValue], any Error>)
    }

    private struct State {
        var requests: [Request] = []
        var isStopping = false
        var hasEnded = false
        var server: (handler: any BusHandler, connection: BusConnection)?
        /// The callers that wait for the thread's end.
        var stoppers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let pipe: BusWakePipe

    private init(pipe: BusWakePipe) { self.pipe = pipe }

    /// Starts a thread with a connection to an address.
    static func start(
        _ address: String, _ configuration: BusConnection.Configuration
    ) async throws(BusError) -> BusThread {
        guard dbus_threads_init_default() != 0, let pipe = BusWakePipe() else {
            throw .unreachable(address: address, problem: "the process has no memory or no files left")
        }
        let bus = BusThread(pipe: pipe)
        let problem: BusError? = await withCheckedContinuation { continuation in
            let thread = Thread { bus.run(address, configuration) { continuation.resume(returning: $0) } }
            thread.name = "touchstone.bus"
            thread.start()
        }
        if let problem { throw problem }
        return bus
    }

    func send(_ message: BusMessage) { post(.send(message)) }

    func call(_ call: BusMessage) async throws(BusError) -> [BusValue] {
        do {
            return try await withCheckedThrowingContinuation { post(.call(call, $0)) }
        } catch let error as BusError {
            throw error
        } catch {
            throw .closed
        }
    }

    /// Hands calls and signals to a handler from now on.
    func serve(_ handler: any BusHandler, on connection: BusConnection) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.server = (handler, connection) }
            return state.hasEnded
        }
        if hasEnded { handler.connectionEnded() }
    }

    /// Returns when the thread has ended.
    func stop() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                state.isStopping = true
                if !state.hasEnded { state.stoppers.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() } else { pipe.wake() }
        }
    }

    private func post(_ request: Request) {
        let isAccepted = state.withLock { state in
            guard !state.isStopping, !state.hasEnded else { return false }
            state.requests.append(request)
            return true
        }
        if isAccepted {
            pipe.wake()
        } else if case .call(_, let continuation) = request {
            continuation.resume(throwing: BusError.closed)
        }
    }

    /// The thread's body.
    private func run(
        _ address: String, _ configuration: BusConnection.Configuration, started: (BusError?) -> Void
    ) {
        let link: BusLink
        do {
            link = try BusLink(address, configuration)
        } catch {
            started(error)
            end()
            return
        }
        started(nil)
        while link.isConnected, perform(on: link) {
            link.wait(with: pipe.reader)
            pipe.drain()
            link.giveUpLateCalls()
            while let message = link.next() { handle(message, on: link) }
        }
        link.close()
        end()
    }

    /// Performs the waiting requests; returns whether the thread goes on.
    private func perform(on link: BusLink) -> Bool {
        let (requests, isStopping) = state.withLock { state in
            defer { state.requests = [] }
            return (state.requests, state.isStopping)
        }
        for request in requests {
            switch request {
            case .send(let message): link.send(message)
            case .call(let message, let continuation): link.call(message, continuation)
            }
        }
        if isStopping { link.flush() }
        return !isStopping
    }

    private func handle(_ message: BusLink.Incoming, on link: BusLink) {
        let server = state.withLock { $0.server }
        switch message {
        case .signal(let signal):
            if let server { server.handler.receive(signal, on: server.connection) }
        case .call(let call):
            let answer = server.map { $0.handler.answer(call, on: $0.connection) }
            guard call.wantsAnswer else { return }
            switch answer {
            case .values(let values): link.send(call.answer(values))
            case .refusal(let refusal): link.send(call.refusal(refusal))
            case .later: break
            case nil: link.send(call.refusal(.unknownObject(call.path ?? "")))
            }
        case .unreadableCall(let call, let problem):
            if call.wantsAnswer { link.send(call.refusal(.invalidArguments(problem))) }
        }
    }

    /// Fails what waits, and tells the handler.
    private func end() {
        let (requests, stoppers, server) = state.withLock { state in
            state.hasEnded = true
            defer {
                state.requests = []
                state.stoppers = []
                state.server = nil
            }
            return (state.requests, state.stoppers, state.server)
        }
        for case .call(_, let continuation) in requests { continuation.resume(throwing: BusError.closed) }
        server?.handler.connectionEnded()
        for stopper in stoppers { stopper.resume() }
    }
}
