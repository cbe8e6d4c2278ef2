/// A message of D-Bus (D-Bus Specification, "Message Protocol").
package struct BusMessage: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case call
        case answer
        case error
        case signal
    }

    package var kind: Kind
    /// The unique name of the sender; the bus sets it.
    package var sender: String?
    package var destination: String?
    package var path: String?
    package var interface: String?
    package var member: String?
    package var errorName: String?
    /// The number that the sender gives the message; 0 before it is sent.
    package var serial: UInt32 = 0
    /// The number of the call that an answer or an error belongs to.
    package var replySerial: UInt32 = 0
    /// Whether the caller waits for an answer.
    package var wantsAnswer = true
    package var body: [BusValue] = []

    /// A call of a method.
    package static func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ body: [BusValue] = []
    ) -> BusMessage {
        BusMessage(
            kind: .call, destination: destination, path: path, interface: interface, member: member, body: body)
    }

    /// A signal to every listener.
    package static func signal(
        _ path: String, _ interface: String, _ member: String, _ body: [BusValue] = []
    ) -> BusMessage {
        BusMessage(kind: .signal, path: path, interface: interface, member: member, body: body)
    }

    /// The answer to this call.
    package func answer(_ body: [BusValue] = []) -> BusMessage {
        BusMessage(kind: .answer, destination: sender, replySerial: serial, body: body)
    }

    /// The error that answers this call.
    package func refusal(_ refusal: BusRefusal) -> BusMessage {
        BusMessage(
            kind: .error, destination: sender, errorName: refusal.name, replySerial: serial,
            body: [.string(refusal.reason)])
    }

    /// The signature of the body.
    package var signature: String { body.map(\.signature).joined() }
}
