/// The stages of a hybrid connection, in order.
package enum HybridStage: String, Hashable, Sendable, CaseIterable, Comparable {
    /// No advert was seen yet, or the phone does not broadcast yet.
    case discovery
    /// The tunnel is being opened.
    case tunnel
    /// The tunnel is open.
    case handshake
    /// The handshake is complete.
    case firstMessage = "first message"
    /// Commands may be sent.
    case ready
    /// A command waits for its answer.
    case command
    case closed

    private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Whether a stage comes before another.
    package static func < (left: HybridStage, right: HybridStage) -> Bool { left.place < right.place }
}

/// The reason for a refusal by one end of a hybrid connection.
package enum HybridRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case advert(AdvertError)
    case unassignedDomain(TunnelDomain)
    /// The tunnel service refused the connection: the HTTP status, or nil when it was not reached; and the owner's text.
    case tunnel(status: Int?, reason: String? = nil)
    /// The tunnel service did not tell the phone a routing ID.
    case noRoutingID
    case handshake(HandshakeError)
    case frame(FrameError)
    case firstMessage(FirstMessageError)
    case linking(LinkingError)
    /// An event that the stage has no place for.
    case unexpected(HybridStage)
    /// A command while another one waits for its answer.
    case commandInFlight
    /// A second command on a connection of one command.
    case secondCommand
    /// An answer without a command.
    case unsolicitedAnswer
    /// A message that only the other end sends: a phone's shutdown.
    case wrongDirection
    /// A JSON message, which this project does not answer.
    case json
    /// A byte other than 0 where the tunnel service signals the phone's connection.
    case connectionSignal
    case noEphemeralKey
    /// The QR code's channels lack the WebSocket.
    case noCommonChannel

    package var description: String {
        switch self {
        case .advert(let error): error.description
        case .unassignedDomain(let domain):
            "The advert's tunnel domain \(domain.rawValue) is not assigned. Use 0, 1, or a number from 256 on."
        case .tunnel(_, let reason?): reason
        case .tunnel(TunnelRequest.goneStatus?, nil):
            "No phone waits in the tunnel any more (status 410). Scan a new code."
        case .tunnel(let status?, nil):
            "The tunnel service refused the connection with status \(status). Check its path and subprotocol."
        case .tunnel(nil, nil):
            "The tunnel service was not reached. Check that it runs, and that its certificate is trusted."
        case .noRoutingID:
            "The tunnel service's answer has no routing ID. Send six hexadecimal digits in \(TunnelRequest.routingIDHeader)."
        case .handshake(let error): error.description
        case .frame(let error): error.description
        case .firstMessage(let error): error.description
        case .linking(let error): error.description
        case .unexpected(let stage):
            "The message is not expected in the stage \"\(stage.rawValue)\". Send messages in order."
        case .commandInFlight: "Another command waits for its answer. Send the next command after it."
        case .secondCommand: "The phone takes one command for each connection. Connect again for the next one."
        case .unsolicitedAnswer: "The phone answered without a command. Send one answer to each command."
        case .wrongDirection: "The phone sent a shutdown, which only the other end sends. Close the tunnel."
        case .json: "The message is JSON for a digital credential. Send a CTAP command."
        case .connectionSignal:
            "The tunnel service's first message is not its signal, one byte 0. Send the signal first."
        case .noCommonChannel: "The QR code does not offer the tunnel service (channel 0). Offer it under key 6."
        case .noEphemeralKey: "The random source gives no key. Use another source."
        }
    }
}

/// The reason for the end of a connection.
package enum HybridEnd: Hashable, Sendable, CustomStringConvertible {
    /// This end has finished.
    case finished
    /// The other end sent a shutdown.
    case shutdown
    /// The tunnel was closed in this stage.
    case tunnelClosed(HybridStage)
    /// The other end did not connect in time; the stage.
    case timedOut(HybridStage)
    /// The owner of this end has stopped it.
    case cancelled
    case refused(HybridRefusal)

    package var description: String {
        switch self {
        case .finished: "This end has finished."
        case .shutdown: "The other end has shut the connection down."
        case .timedOut(let stage):
            "The other end did not connect in time, in the stage \"\(stage.rawValue)\". Show a new code, and scan it."
        case .cancelled: "This end was stopped. Scan a new code."
        case .tunnelClosed(let stage): "The tunnel was closed in the stage \"\(stage.rawValue)\"."
        case .refused(let refusal): refusal.description
        }
    }
}
