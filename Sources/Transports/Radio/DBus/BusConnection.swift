internal import Synchronization

/// A private connection to a message bus.
///
/// A thread of its own reads, writes and hands messages to the ``BusHandler``; it ends with ``close()`` or with the bus.
package final class BusConnection: Sendable {
    /// The settings of a connection.
    package struct Configuration: Hashable, Sendable {
        /// The longest wait for the answer to a call.
        package var answerLimit = Duration.seconds(10)
        /// The most bytes of a message; a longer one ends the connection.
        package var longestMessage = 1 << 20

        package init() {}
    }

    private let thread: BusThread
    /// The name that the bus gives the connection.
    package let uniqueName: String

    private init(thread: BusThread, uniqueName: String) {
        self.thread = thread
        self.uniqueName = uniqueName
    }

    /// Connects to the bus at an address, for example `unix:path=/run/dbus/system_bus_socket`.
    ///
    /// - Throws: ``BusError/unreachable(address:problem:)`` when no bus answers there.
    package static func open(
        _ address: String, handler: any BusHandler = NoBusHandler(), _ configuration: Configuration = Configuration()
    ) async throws(BusError) -> BusConnection {
        let thread = try await BusThread.start(address, configuration)
        do throws(BusError) {
            let answer = try await thread.call(BusName.bus.call("Hello"))
            guard case .string(let name)? = answer.first else {
                throw .unreachable(address: address, problem: "it does not say the connection's name")
            }
            let connection = BusConnection(thread: thread, uniqueName: name)
            thread.serve(handler, on: connection)
            return connection
        } catch {
            await thread.stop()
            switch error {
            case .closed: throw .unreachable(address: address, problem: "it closes the connection")
            case .refused, .noAnswer, .malformed: throw .unreachable(address: address, problem: error.description)
            case .unreachable: throw error
            }
        }
    }

    /// Calls a method, and waits for its answer.
    ///
    /// - Returns: the values of the answer.
    /// - Throws: ``BusError``.
    package func call(_ call: BusMessage) async throws(BusError) -> [BusValue] { try await thread.call(call) }

    /// Sends a message without waiting for an answer; messages leave in the order of the calls.
    package func send(_ message: BusMessage) { thread.send(message) }

    /// Takes a well-known name, such as `org.bluez`.
    ///
    /// - Returns: whether the connection has the name; false when another one has it.
    package func take(_ name: String) async throws(BusError) -> Bool {
        // Flag 4: do not queue. Answers 1 and 4: the name is the connection's.
        let answer = try await call(BusName.bus.call("RequestName", [.string(name), .uint32(4)]))
        return answer == [.uint32(1)] || answer == [.uint32(4)]
    }

    /// Asks the bus for the signals that match a rule (D-Bus Specification, "Match Rules").
    package func listen(_ rule: String) async throws(BusError) {
        _ = try await call(BusName.bus.call("AddMatch", [.string(rule)]))
    }

    /// Ends the connection and its thread; waiting calls fail with ``BusError/closed``.
    package func close() async { await thread.stop() }
}

/// A service on a bus.
package struct BusName: Hashable, Sendable {
    package let name: String
    private let path: String
    private let interface: String

    /// The bus itself.
    package static let bus = BusName(
        name: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")

    /// A call of one of the bus's own methods.
    package func call(_ member: String, _ body: [BusValue] = []) -> BusMessage {
        .call(name, path, interface, member, body)
    }
}
