internal import DeviceActs
internal import DeviceHost
internal import Documents
internal import HTTPTypes
internal import LoopbackHTTP

extension ControlOperations {
    var acts: [Operation] {
        [
            onDevice(
                .post, "/acts", "perform", "Perform an act on a device, as a scenario's step does",
                body: Self.actSchema, answer: .outcome, errors: [422], mayWaitForUser: true
            ) { device, call in
                let act = try Self.act(call.body)
                let place = device.placeOfAct
                let events = CeremonyEvents()
                let result = await CeremonyEvents.$current.withValue(events) { await device.host.perform(act) }
                let given = call.body["arguments"]?.object ?? [:]
                if result.idleness == nil {
                    device.note(
                        act.word, act.recordedArguments.filter { given[$0.key] != nil }, after: place,
                        person: events.acts,
                        cause: result.cause)
                }
                await device.app.observe()
                return await Outcome(
                    device, cause: result.cause, during: act.operation, idleness: result.idleness,
                    explanation: result.explanation,
                    answer: result.answer, document: result.document)
            }
            .taking(bodyOf: Self.largestAct),
            onDevice(
                .get, "/acts", "listActs", "List the acts on a device since its start, and the changes of its clock",
                answer: TypedAnswer<[ActRecord]>("The newest 450 acts or more, oldest first")
            ) { device, _ in device.acts.records },
            onDevice(
                .post, "/connection", "changeConnection",
                "Unplug a device on USB or plug it in, put it on its NFC reader or take it off",
                body: .object(
                    .required("action", .choice(ConnectionChange.allCases.map(\.rawValue))),
                    .optional(
                        "duringCommand", .integer(1...1000),
                        "With remove: take the device off the reader during the Nth command from now; default: now.")),
                answer: .state, errors: [409, 422]
            ) { device, call in
                guard let change = (call.body["action"]?.text).flatMap(ConnectionChange.init) else {
                    throw APIError.jsonInvalidMember("action", "is missing")
                }
                guard change == .remove || call.body["duringCommand"] == nil else {
                    throw APIError(
                        422, "connection.noCommand", "duringCommand has no effect with \(change.rawValue); remove it.")
                }
                do {
                    _ = try await device.host.perform(
                        change.request(duringCommand: call.body["duringCommand"]?.integer))
                } catch {
                    throw APIError(409, "connection.missing", because: error)
                }
                return await device.host.report()
            },
        ]
    }

    private enum ConnectionChange: String, CaseIterable {
        case unplug
        case plugIn = "plug-in"
        case tap, remove

        func request(duringCommand number: Int?) -> DeviceRequest {
            switch self {
            case .unplug: .unplug
            case .plugIn: .plugIn
            case .tap: .placeOnReader
            case .remove: .remove(duringCommand: number)
            }
        }
    }
}

extension ControlOperations {
    /// The largest act, in bytes: a document, and as much as other requests have.
    static let largestAct = DeviceVerb.Parameter.documentLength.upperBound + JSONBody.limit

    private static let actSchema = Schema.named(
        "Act", .anyOf(DeviceAct.vocabulary.map { .named(Self.title(of: $0), .described($0.meaning, schema(of: $0))) }))

    private static func title(of verb: DeviceVerb) -> String {
        "Act" + verb.word.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func schema(of verb: DeviceVerb) -> Schema {
        let arguments = verb.members
        // An act without parameters accepts an empty object, which clients with one code path for all acts send.
        return .object(
            .required("verb", .constant(verb.word)),
            Schema.Member(
                name: "arguments", schema: .object(Schema.Members(members: arguments)),
                isRequired: arguments.contains(where: \.isRequired)))
    }

    private static func act(_ body: JSONValue) throws(APIError) -> DeviceAct {
        let arguments = (body["arguments"]?.object ?? [:]).compactMapValues { value in
            // A document is an object.
            value.text ?? value.integer.map(String.init)
                ?? (try? value.bytes()).map { String(decoding: $0, as: UTF8.self) }
        }
        do {
            return try DeviceAct(verb: body["verb"]?.text ?? "", arguments: arguments)
        } catch {
            throw APIError(422, "act.invalid", because: error)
        }
    }
}
