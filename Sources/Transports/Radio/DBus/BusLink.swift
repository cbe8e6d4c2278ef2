import CDBus

/// A libdbus connection with the calls that wait for answers; one thread uses it.
final class BusLink {
    /// A message that is not an answer.
    enum Incoming {
        case call(BusMessage)
        case signal(BusMessage)
        /// A call whose body cannot be read, and the problem.
        case unreadableCall(BusMessage, String)
    }

    private struct WaitingCall {
        let method: String
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<[BusValue], any Error>
    }

    private let connection: OpaquePointer
    private let watches = BusWatches()
    private let answerLimit: Duration
    private var waiting: [UInt32: WaitingCall] = [:]
    private(set) var isConnected = true

    /// Connects to an address.
    init(_ address: String, _ configuration: BusConnection.Configuration) throws(BusError) {
        var problem = DBusError()
        dbus_error_init(&problem)
        defer { dbus_error_free(&problem) }
        guard !address.utf8.contains(0), let opened = dbus_connection_open_private(address, &problem) else {
            let text = problem.message.map { String(cString: $0) }
            throw .unreachable(address: address, problem: text ?? "the address has a character U+0000")
        }
        connection = opened
        answerLimit = configuration.answerLimit
        dbus_connection_set_exit_on_disconnect(opened, 0)
        dbus_connection_set_max_message_size(opened, configuration.longestMessage)
        dbus_connection_set_max_received_size(opened, configuration.longestMessage)
        dbus_connection_set_max_message_unix_fds(opened, 0)
        guard watches.attach(to: opened) else {
            dbus_connection_close(opened)
            dbus_connection_unref(opened)
            throw .unreachable(address: address, problem: "the process has no memory left")
        }
    }

    /// Waits for messages, for a wake-up, or for the deadline of a call.
    func wait(with wake: CInt) {
        // A message that is read already waits in libdbus's queue.
        if dbus_connection_get_dispatch_status(connection) == DBUS_DISPATCH_DATA_REMAINS { return }
        watches.wait(with: wake, milliseconds: patience)
        if dbus_connection_get_is_connected(connection) == 0 { isConnected = false }
    }

    /// The milliseconds until the first deadline; -1 without one.
    private var patience: CInt {
        guard let first = waiting.values.map(\.deadline).min() else { return -1 }
        let milliseconds = (ContinuousClock.now.duration(to: first) / .milliseconds(1)).rounded(.up)
        return CInt(min(max(milliseconds, 0), 1_000_000))
    }

    /// Fails the calls whose deadline has passed.
    func giveUpLateCalls() {
        let now = ContinuousClock.now
        for (serial, call) in waiting where call.deadline <= now {
            waiting[serial] = nil
            call.continuation.resume(throwing: BusError.noAnswer(call.method))
        }
    }

    /// The next call or signal; answers go to their callers.
    func next() -> Incoming? {
        while let message = dbus_connection_pop_message(connection) {
            defer { dbus_message_unref(message) }
            if let incoming = take(message) { return incoming }
        }
        return nil
    }

    private func take(_ message: OpaquePointer) -> Incoming? {
        let header = BusMessageReader.header(message)
        let result: Result<BusMessage, BusError>
        do {
            result = .success(try BusMessageReader.read(message))
        } catch {
            result = .failure(error)
        }
        switch header.kind {
        case .call:
            return switch result {
            case .success(let call): .call(call)
            case .failure(let error): .unreadableCall(header, error.description)
            }
        case .signal:
            // The bus cannot send a signal of this interface; libdbus makes one at the end.
            if header.interface == "org.freedesktop.DBus.Local", header.member == "Disconnected" {
                isConnected = false
                return nil
            }
            return if case .success(let signal) = result { .signal(signal) } else { nil }
        case .answer, .error:
            waiting.removeValue(forKey: header.replySerial)?.continuation.resume(with: Self.outcome(result))
            return nil
        }
    }

    private static func outcome(_ result: Result<BusMessage, BusError>) -> Result<[BusValue], any Error> {
        switch result {
        case .failure(let error): .failure(error)
        case .success(let answer) where answer.kind == .error:
            .failure(
                BusError.refused(BusRefusal(answer.errorName ?? "", answer.body.first?.text ?? "without a reason")))
        case .success(let answer): .success(answer.body)
        }
    }

    /// Sends a message; one that D-Bus does not permit is not sent.
    func send(_ message: BusMessage) {
        guard let written = try? BusMessageWriter.write(message) else {
            // The caller of a method gets an answer in any case.
            if message.kind == .answer { refuse(message) }
            return
        }
        dbus_connection_send(connection, written, nil)
        dbus_message_unref(written)
    }

    private func refuse(_ answer: BusMessage) {
        var refusal = answer
        refusal.kind = .error
        refusal.errorName = "org.freedesktop.DBus.Error.Failed"
        refusal.body = [.string("the service has no valid answer")]
        if let written = try? BusMessageWriter.write(refusal) {
            dbus_connection_send(connection, written, nil)
            dbus_message_unref(written)
        }
    }

    /// Sends a call whose answer goes to a continuation.
    func call(_ call: BusMessage, _ continuation: CheckedContinuation<[BusValue], any Error>) {
        do throws(BusError) {
            let written = try BusMessageWriter.write(call)
            defer { dbus_message_unref(written) }
            var serial: UInt32 = 0
            guard dbus_connection_send(connection, written, &serial) != 0, serial != 0 else { throw .closed }
            waiting[serial] = WaitingCall(
                method: call.member ?? "", deadline: .now + answerLimit, continuation: continuation)
        } catch {
            continuation.resume(throwing: error)
        }
    }

    /// Writes what waits, as far as the bus takes it at once.
    func flush() {
        var attempts = 0
        while dbus_connection_has_messages_to_send(connection) != 0, attempts < 100,
            dbus_connection_read_write(connection, 0) != 0
        {
            attempts += 1
        }
    }

    /// Closes the connection, and fails the waiting calls.
    func close() {
        watches.detach(from: connection)
        dbus_connection_close(connection)
        while let message = dbus_connection_pop_message(connection) { dbus_message_unref(message) }
        dbus_connection_unref(connection)
        isConnected = false
        for call in waiting.values { call.continuation.resume(throwing: BusError.closed) }
        waiting = [:]
    }
}
