package import CBOR
package import CTAP

/// Decodes requests and responses, including malformed ones.
package enum MessageDecoder {
    package static func request(_ bytes: [UInt8]) -> TraceRequest {
        guard let code = bytes.first else {
            return TraceRequest(
                code: nil, command: "nothing",
                message: TraceMessage(length: 0, raw: [], problem: "the message is empty"))
        }
        let command = CTAPCommand(rawValue: code)
        let description = CommandDescription.all[command]
        let (value, message) = message(bytes, as: description?.request ?? [])
        var subcommand: String?
        if let known = description?.subcommand, case .map(let map)? = value,
            let number = map[known.key].flatMap(FieldDecoder.integer)
        {
            subcommand = known.names[number] ?? "subcommand \(number)"
        }
        return TraceRequest(code: code, command: command.description, subcommand: subcommand, message: message)
    }

    package static func response(
        _ bytes: [UInt8], to request: [UInt8]
    ) -> (status: CTAPStatus?, message: TraceMessage) {
        guard let status = bytes.first else {
            return (nil, TraceMessage(length: 0, raw: [], problem: "the message is empty"))
        }
        let members = request.first.flatMap { CommandDescription.all[CTAPCommand(rawValue: $0)]?.response } ?? []
        return (CTAPStatus(rawValue: status), message(bytes, as: members).message)
    }

    /// The name of a member of a request's parameters.
    package static func name(of key: CBOR.Value, inRequest command: CTAPCommand) -> String? {
        CommandDescription.all[command]?.request.first { $0.key == key }?.name
    }

    /// The name of a member of a response.
    package static func name(of key: CBOR.Value, inResponseTo command: CTAPCommand) -> String? {
        CommandDescription.all[command]?.response.first { $0.key == key }?.name
    }

    private static func message(
        _ bytes: [UInt8], as members: [MapMember]
    ) -> (value: CBOR.Value?, message: TraceMessage) {
        var message = TraceMessage(length: bytes.count, raw: bytes)
        let content = Array(bytes.dropFirst())
        guard !content.isEmpty else { return (nil, message) }
        let value: CBOR.Value
        do {
            value = try CBOR.decode(content, options: .ctap2)
        } catch {
            message.problem = error.description
            // CBOR with no other error than its non-canonical form can still be decoded.
            guard let readable = try? CBOR.decode(content, options: .lenient) else {
                message.fields = [.undecoded(content[...])]
                return (nil, message)
            }
            value = readable
        }
        if case .map(let map) = value {
            message.fields = FieldDecoder.fields(map, as: members)
        } else {
            message.fields = [FieldDecoder.field(value, as: .unknown)]
        }
        return (value, message)
    }
}
