package import CTAP
package import Causes
package import PlatformErrors

/// One message, event or state change between a client and a device: a line of a trace.
package struct TraceRecord: Hashable, Sendable {
    /// The time since the Unix epoch on the device's clock, in whole microseconds.
    package let at: Duration
    package let device: String
    /// The number of its exchange, counted from 1 in the whole trace; nil between exchanges.
    package let exchange: Int?
    package let content: Content

    /// The kind of event a record describes.
    package enum Content: Hashable, Sendable {
        /// Tracing of a device started.
        case device(TracedDeviceDescription)
        case request(TraceRequest)
        /// The device started to process, or to wait for the user.
        case keepalive(KeepaliveStatus)
        /// Something happened inside a simulated device.
        case event(TraceEvent)
        case cancel
        case response(TraceResponse)
        /// The exchange ended without an answer.
        case failure(TraceFailure)
        case powerCycle
    }

    package init(at: Duration, device: String, exchange: Int? = nil, content: Content) {
        self.at = at.wholeMicroseconds
        self.device = device
        self.exchange = exchange
        self.content = content
    }

    /// A copy without the values of secrets.
    package var masked: TraceRecord {
        var content = content
        switch content {
        case .device(var description):
            description.keepsSecrets = false
            content = .device(description)
        case .request(var request):
            request.message = request.message.masked
            content = .request(request)
        case .response(var response):
            response.message = response.message.masked
            content = .response(response)
        default: break
        }
        return TraceRecord(at: at, device: device, exchange: exchange, content: content)
    }
}

/// The description of a traced device.
package struct TracedDeviceDescription: Hashable, Sendable {
    /// A title, if it has more than a name.
    package var title: String?
    package var keepsSecrets = false
}

/// A request.
package struct TraceRequest: Hashable, Sendable {
    /// The command byte, or the instruction of a U2F message; nil when the message was empty.
    package var code: UInt8?
    /// The command's name, or its byte in hexadecimal.
    package var command: String
    /// The subcommand's name, or its number.
    package var subcommand: String?
    package var message: TraceMessage
}

/// An event inside a simulated device.
package struct TraceEvent: Hashable, Sendable {
    /// The kind of event, such as `presence`, `gate` or `pin`.
    package var kind: String
    package var text: String
    package var cause: Cause?
    package var platformErrors: [PlatformError]?
}

/// An answer, with the reason of a refusal.
package struct TraceResponse: Hashable, Sendable {
    /// The status byte; nil when the answer was empty, and for U2F.
    package var status: CTAPStatus?
    /// The status word of a U2F answer.
    package var statusWord: UInt16?
    /// The time from the request to the answer.
    package var duration: Duration
    /// The stable label of a refusal's reason; known for simulated devices only.
    package var reason: String?
    package var clause: String?
    package var detail: String?
    package var cause: Cause?
    package var platformErrors: [PlatformError]?
    package var message: TraceMessage

    package init(
        status: CTAPStatus?, statusWord: UInt16? = nil, duration: Duration, reason: String? = nil,
        clause: String? = nil, detail: String? = nil, cause: Cause? = nil, platformErrors: [PlatformError]? = nil,
        message: TraceMessage
    ) {
        self.status = status
        self.statusWord = statusWord
        self.duration = max(.zero, duration.wholeMicroseconds)
        self.reason = reason
        self.clause = clause
        self.detail = detail
        self.cause = cause
        self.platformErrors = platformErrors
        self.message = message
    }
}

/// The end of an exchange without an answer.
package struct TraceFailure: Hashable, Sendable {
    /// `disconnected`, `timedOut`, `protocolViolation` or `busy`.
    package var error: String
    package var text: String
    /// The time from the request to the failure.
    package var duration: Duration

    package init(error: String, text: String, duration: Duration) {
        self.error = error
        self.text = text
        self.duration = max(.zero, duration.wholeMicroseconds)
    }

    init(_ error: CTAPDeviceError, duration: Duration) {
        let label =
            switch error {
            case .disconnected: "disconnected"
            case .timedOut, .messageTimeout: "timedOut"
            case .protocolViolation: "protocolViolation"
            case .busy: "busy"
            }
        self.init(error: label, text: error.description, duration: duration)
    }
}

extension TraceResponse {
    package var isRefusal: Bool { statusWord.map { $0 != StatusWord.noError.rawValue } ?? (status != .ok) }
}

extension Duration {
    /// Truncated to microseconds, the resolution of traces.
    var wholeMicroseconds: Duration {
        let (seconds, attoseconds) = components
        return .seconds(seconds) + .microseconds(attoseconds / 1_000_000_000_000)
    }
}
