/// The receiver of a connection's calls and signals.
///
/// The connection's thread calls it, one message after the other; it does not block.
package protocol BusHandler: Sendable {
    /// Answers a call.
    func answer(_ call: BusMessage, on connection: BusConnection) -> BusAnswer

    /// Takes note of a signal.
    func receive(_ signal: BusMessage, on connection: BusConnection)

    /// Takes note of the connection's end.
    func connectionEnded()
}

extension BusHandler {
    package func answer(_ call: BusMessage, on connection: BusConnection) -> BusAnswer {
        .refusal(.unknownObject(call.path ?? ""))
    }

    package func receive(_ signal: BusMessage, on connection: BusConnection) {}

    package func connectionEnded() {}
}

/// The answer to a call.
package enum BusAnswer: Sendable {
    case values([BusValue])
    case refusal(BusRefusal)
    /// The handler sends the answer itself.
    case later
}

/// A receiver of no messages.
package struct NoBusHandler: BusHandler {
    package init() {}
}
