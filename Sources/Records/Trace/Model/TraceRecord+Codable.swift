internal import CTAP
internal import Causes
internal import PlatformErrors
internal import WebAuthn

/// The schema number of docs/recordings.md.
package let traceSchema = 1

/// The reason that a line is not a trace record.
package struct TraceFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    static let notJSON = TraceFormatError("the line is not JSON")
}

/// The keys of a line; the record's kind determines which are present.
private struct Line: Codable {
    var schema: Int?
    var at: Double?
    var device: String?
    var kind: String?
    var exchange: Int?
    var title: String?
    var secrets: Bool?
    var command: String?
    var code: Int?
    var subcommand: String?
    var keepalive: String?
    var event: String?
    var text: String?
    var status: Int?
    var statusName: String?
    var statusWord: Int?
    var seconds: Double?
    var reason: String?
    var clause: String?
    var detail: String?
    var cause: Cause?
    var faces: [PlatformError]?
    var error: String?
    var bytes: Int?
    var raw: String?
    var problem: String?
    var fields: [TraceField]?
}

/// Every kind of record is one flat JSON object, as docs/recordings.md describes it.
extension TraceRecord: Codable {
    package func encode(to encoder: any Encoder) throws {
        var line = Line(schema: traceSchema, at: at.inSeconds, device: device, exchange: exchange)
        switch content {
        case .device(let description):
            line.kind = "device"
            line.title = description.title
            line.secrets = description.keepsSecrets
        case .request(let request):
            line.kind = "request"
            line.command = request.command
            line.code = request.code.map(Int.init)
            line.subcommand = request.subcommand
            line.add(request.message)
        case .keepalive(let status):
            line.kind = "keepalive"
            line.keepalive = status.label
        case .event(let event):
            line.kind = "event"
            line.event = event.kind
            line.text = event.text
            line.cause = event.cause
            line.faces = event.platformErrors
        case .cancel: line.kind = "cancel"
        case .response(let response):
            line.kind = "response"
            line.status = response.status.map { Int($0.rawValue) }
            line.statusName = response.status?.name ?? response.statusWord.flatMap(U2FDecoder.name)
            line.statusWord = response.statusWord.map(Int.init)
            line.seconds = response.duration.inSeconds
            line.reason = response.reason
            line.clause = response.clause
            line.detail = response.detail
            line.cause = response.cause
            line.faces = response.platformErrors
            line.add(response.message)
        case .failure(let failure):
            line.kind = "failure"
            line.error = failure.error
            line.text = failure.text
            line.seconds = failure.duration.inSeconds
        case .powerCycle: line.kind = "powerCycle"
        }
        try line.encode(to: encoder)
    }

    package init(from decoder: any Decoder) throws {
        let line = try Line(from: decoder)
        let schema = try required(line.schema, "schema")
        guard schema == traceSchema else {
            throw TraceFormatError("schema \(schema) is unknown; this program reads schema \(traceSchema)")
        }
        let kind = try required(line.kind, "kind")
        if let exchange = line.exchange, exchange < 1 { throw TraceFormatError("`exchange` must be 1 or more") }
        self.init(
            at: try duration(required(line.at, "at"), "at"), device: try required(line.device, "device"),
            exchange: line.exchange, content: try line.content(kind))
    }
}

extension Line {
    fileprivate mutating func add(_ message: TraceMessage) {
        bytes = message.length
        raw = message.raw.map(Hex.encode)
        problem = message.problem
        fields = message.fields.isEmpty ? nil : message.fields
    }

    private func message() throws -> TraceMessage {
        let length = try required(bytes, "bytes")
        guard length >= 0 else { throw TraceFormatError("`bytes` is negative") }
        let bytes = try raw.map { digits in
            guard let bytes = Hex.decode(digits) else { throw TraceFormatError("`raw` is not hexadecimal") }
            return bytes
        }
        return TraceMessage(length: length, raw: bytes, fields: fields ?? [], problem: problem)
    }

    private func exact<Number: FixedWidthInteger>(_ number: Int?, _ key: String) throws -> Number? {
        guard let number else { return nil }
        guard let exact = Number(exactly: number) else { throw TraceFormatError("`\(key)` is not 0 to \(Number.max)") }
        return exact
    }

    fileprivate func content(_ kind: String) throws -> TraceRecord.Content {
        switch kind {
        case "device": return .device(TracedDeviceDescription(title: title, keepsSecrets: secrets ?? false))
        case "request":
            return .request(
                TraceRequest(
                    code: try exact(code, "code"), command: try required(command, "command"), subcommand: subcommand,
                    message: try message()))
        case "keepalive":
            let label = try required(keepalive, "keepalive")
            guard let status = KeepaliveStatus.all.first(where: { $0.label == label }) else {
                let labels = KeepaliveStatus.all.map(\.label).joined(separator: " or ")
                throw TraceFormatError("`keepalive` is \"\(label)\"; expected \(labels)")
            }
            return .keepalive(status)
        case "event":
            return .event(
                TraceEvent(
                    kind: try required(event, "event"), text: try required(text, "text"), cause: cause,
                    platformErrors: faces))
        case "cancel": return .cancel
        case "response":
            return .response(
                TraceResponse(
                    status: try exact(status, "status").map(CTAPStatus.init(rawValue:)),
                    statusWord: try exact(statusWord, "statusWord"),
                    duration: try duration(required(seconds, "seconds"), "seconds"), reason: reason, clause: clause,
                    detail: detail, cause: cause, platformErrors: faces, message: try message()))
        case "failure":
            return .failure(
                TraceFailure(
                    error: try required(error, "error"), text: try required(text, "text"),
                    duration: try duration(required(seconds, "seconds"), "seconds")))
        case "powerCycle": return .powerCycle
        default: throw TraceFormatError("`kind` is \"\(kind)\"; schema \(traceSchema) does not have it")
        }
    }
}

private func required<Value>(_ value: Value?, _ key: String) throws(TraceFormatError) -> Value {
    guard let value else { throw TraceFormatError("`\(key)` is missing") }
    return value
}

private func duration(_ seconds: Double, _ key: String) throws(TraceFormatError) -> Duration {
    // Three thousand years: a Double does not hold the microseconds of longer spans exactly.
    guard (0...1e11).contains(seconds) else { throw TraceFormatError("`\(key)` is out of range") }
    return .microseconds(Int64((seconds * 1_000_000).rounded()))
}

extension Duration {
    fileprivate var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1_000_000
    }
}

extension KeepaliveStatus {
    static let all: [KeepaliveStatus] = [.processing, .userPresenceNeeded]

    /// The name a trace uses.
    var label: String { "\(self)" }
}
