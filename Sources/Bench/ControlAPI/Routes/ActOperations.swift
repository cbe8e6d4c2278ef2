internal import DeviceActs
internal import DeviceHost
internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

extension ControlOperations {
    var acts: [Operation] {
        [
            Operation(
                method: .post, path: "/v1/devices/{device}/acts", name: "perform",
                summary: "Do to a device what a scenario's steps do", tag: "devices", body: Self.actSchema,
                answer: .outcome, errors: [422], isPatient: true
            ) { call in
                let device = try await device(call)
                let act = try Self.act(call.body)
                let result = await device.host.perform(act)
                return try Reply.json(await Outcome(device, cause: result.cause, answer: result.answer))
            },
            Operation(
                method: .post, path: "/v1/devices/{device}/connection", name: "changeConnection",
                summary: "Pull a device on USB out or plug it in, lay one on its NFC reader or take it off",
                tag: "devices",
                body: .object(
                    .required("action", .choice(Self.connectionCommands.map(\.rawValue))),
                    .optional(
                        "duringCommand", .integer(1...1000),
                        "With remove: leave in the middle of the so manieth command that comes from now on.")),
                answer: .state, errors: [409]
            ) { call in try await changeConnection(try await device(call), call.body) },
        ]
    }

    private static let connectionCommands: [ControlRequest.Command] = [.unplug, .plugIn, .tap, .remove]

    private func changeConnection(_ device: ManagedDevice, _ body: JSONValue) async throws -> Response {
        let command = (body["action"]?.text).flatMap(ControlRequest.Command.init) ?? .status
        let answer = await device.host.handle(ControlRequest(command, times: body["duringCommand"]?.integer))
        if let error = answer.error { throw APIError(409, .connectionMissing, "\(error).") }
        return try Reply.json(await DeviceState(device))
    }
}

extension ControlOperations {
    /// One form for each verb there is.
    private static let actSchema = Schema.named(
        "Act", .anyOf(DeviceAct.vocabulary.map { .named(Self.title(of: $0), .described($0.meaning, schema(of: $0))) }))

    private static func title(of verb: DeviceVerb) -> String {
        "Act" + verb.word.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func schema(of verb: DeviceVerb) -> Schema {
        var members: [Schema.Member] = [.required("verb", .constant(verb.word))]
        let parameters = verb.parameters.map { parameter in
            Schema.Member(
                name: parameter.name, schema: .described(parameter.meaning, schema(of: parameter.kind)),
                isRequired: parameter.isRequired)
        }
        // A verb without arguments takes an empty object, as programs that treat all verbs alike send.
        let arguments = Schema.object(Schema.Members(members: parameters))
        let isRequired = parameters.contains(where: \.isRequired)
        members.append(Schema.Member(name: "arguments", schema: arguments, isRequired: isRequired))
        return .object(Schema.Members(members: members))
    }

    private static func schema(of kind: DeviceVerb.Parameter.Kind) -> Schema {
        switch kind {
        case .text: .string(1...1000)
        case .number(let range): .integer(range)
        case .choice(let choices): .choice(choices)
        }
    }

    private static func act(_ body: JSONValue) throws(APIError) -> DeviceAct {
        let arguments = (body["arguments"]?.object ?? [:]).compactMapValues { value in
            value.text ?? value.integer.map(String.init)
        }
        do {
            return try DeviceAct(verb: body["verb"]?.text ?? "", arguments: arguments)
        } catch {
            throw APIError(422, .actInvalid, "\(error).")
        }
    }
}
