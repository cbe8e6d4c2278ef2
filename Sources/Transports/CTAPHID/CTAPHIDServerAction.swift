/// A command the device has to carry out, handed out by a ``CTAPHIDServer``.
package struct CTAPHIDRequest: Hashable, Sendable {
    /// What tells one request from every other of the same server.
    package struct ID: Hashable, Sendable {
        let number: UInt64
    }

    /// Who will read the bytes.
    package enum Kind: Hashable, Sendable {
        /// A CTAP2 message: command byte and CBOR.
        case cbor
        /// A U2F message: an APDU.
        case message
    }

    /// The token by which the answer finds its request.
    package let id: ID
    /// The channel that asked.
    package let channel: CTAPHIDChannel
    /// Who will read the payload.
    package let kind: Kind
    /// The bytes of the request; never empty.
    package let payload: [UInt8]
}

/// What the owner of a ``CTAPHIDServer`` has to do after an event, in order.
package enum CTAPHIDServerAction<Peer: Sendable>: Sendable {
    /// Send these packets to this peer.
    case send([CTAPHIDPacket], to: Peer)
    /// Carry out a request, and report with ``CTAPHIDServer/answer(_:with:now:)`` or ``CTAPHIDServer/fail(_:with:now:)``.
    case start(CTAPHIDRequest)
    /// Ask the device to give up a request. Its answer is still wanted, unless the server has ``CTAPHIDServer/runs(_:)``
    /// no longer.
    case cancel(CTAPHIDRequest.ID)
    /// Let the person see which device this is.
    case wink
    /// Take the power of the device away and give it back.
    case powerCycle
}

extension CTAPHIDServerAction: Equatable where Peer: Equatable {}
