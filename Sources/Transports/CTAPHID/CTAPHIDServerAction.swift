/// A command from a ``CTAPHIDServer`` for the device to perform.
package struct CTAPHIDRequest: Hashable, Sendable {
    /// The identity of a request within its server.
    package struct ID: Hashable, Sendable {
        let number: UInt64
    }

    package enum Kind: Hashable, Sendable {
        /// A CTAP2 message: command byte and CBOR.
        case cbor
        /// A U2F message: an APDU.
        case message
    }

    package let id: ID
    package let channel: CTAPHIDChannel
    package let kind: Kind
    /// The payload, never empty.
    package let payload: [UInt8]
}

/// One thing for the owner of a ``CTAPHIDServer`` to do after an event, in order.
package enum CTAPHIDServerAction<Peer: Sendable>: Sendable {
    case send([CTAPHIDPacket], to: Peer)
    /// Perform a request, and report with ``CTAPHIDServer/answer(_:with:now:)`` or ``CTAPHIDServer/fail(_:with:now:)``.
    case start(CTAPHIDRequest)
    /// Cancel a request. Its answer is still needed while ``CTAPHIDServer/runs(_:)`` is true.
    case cancel(CTAPHIDRequest.ID)
    case wink
    case powerCycle
}

extension CTAPHIDServerAction: Equatable where Peer: Equatable {}
