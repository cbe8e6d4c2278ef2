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
                summary: "Perform an act on a device, as a scenario's step does", tag: "devices", body: Self.actSchema,
                answer: .outcome, errors: [422], isPatient: true
            ) { call in
                let device = try await device(call)
                let act = try Self.act(call.body)
                let result = await device.host.perform(act)
                return try Reply.json(
                    await Outcome(device, cause: result.cause, answer: result.explanation ?? result.answer))
            },
            Operation(
                method: .post, path: "/v1/devices/{device}/connection", name: "changeConnection",
                summary: "Unplug a device on USB or plug it in, put it on its NFC reader or take it off",
                tag: "devices",
                body: .object(
                    .required("action", .choice(ConnectionChange.allCases.map(\.rawValue))),
                    .optional(
                        "duringCommand", .integer(1...1000),
                        "With remove: take the device off the reader during the Nth command from now; default: now.")),
                answer: .state, errors: [409]
            ) { call in try await changeConnection(try await device(call), call.body) },
        ]
    }

    /// A change of a device's connection.
    private enum ConnectionChange: String, CaseIterable {
        case unplug
        case plugIn = "plug-in"
        case tap, remove

        func request(duringCommand number: Int?) -> DeviceRequest {
            switch self {
            case .unplug: .unplug
            case .plugIn: .plugIn
            case .tap: .tap
            case .remove: .remove(duringCommand: number)
            }
        }
    }

    private func changeConnection(_ device: ManagedDevice, _ body: JSONValue) async throws -> Response {
        guard let change = (body["action"]?.text).flatMap(ConnectionChange.init) else {
            throw APIError.jsonInvalidMember("action", "is missing")
        }
        do {
            _ = try await device.host.perform(change.request(duringCommand: body["duringCommand"]?.integer))
        } catch {
            throw APIError(409, .connectionMissing, "\(error).")
        }
        return try Reply.json(await device.host.report())
    }
}

extension ControlOperations {
    /// One schema for each act.
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
        // An act without parameters accepts an empty object, which clients with one code path for all acts send.
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
            value.text.map(DeviceVerb.Argument.text) ?? value.integer.map(DeviceVerb.Argument.number)
        }
        do {
            return try DeviceAct(verb: body["verb"]?.text ?? "", arguments: arguments)
        } catch {
            throw APIError(422, .actInvalid, "\(error).")
        }
    }
}
