internal import DeviceHost
internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import SimulatedDevice

extension ControlOperations {
    var people: [Operation] {
        [
            Operation(
                method: .post, path: "/v1/devices/{device}/person/acts", name: "tellPerson",
                summary: "Tell the person what to do, now or at the next prompts", tag: "people",
                body: .object(.required("acts", .array(Self.phraseSchema, count: 1...100))),
                answer: .json(PersonState.self, "What they will do", named: "Person"), errors: [422]
            ) { call in
                let device = try await device(call)
                let acts = try Self.acts(call.body["acts"]?.array ?? [])
                for act in acts { await device.host.person.tell(act) }
                return try Reply.json(await PersonState(device))
            },
            Operation(
                method: .get, path: "/v1/devices/{device}/person/acts", name: "readPlannedActs",
                summary: "What the person was told and has not been asked for", tag: "people",
                answer: .json(PersonState.self, "What they will do", named: "Person")
            ) { call in try Reply.json(await PersonState(try await device(call))) },
            Operation(
                method: .delete, path: "/v1/devices/{device}/person/acts", name: "forgetPlannedActs",
                summary: "Make the person forget what they were told", tag: "people",
                answer: .json(PersonState.self, "Nothing is planned", named: "Person")
            ) { call in
                let device = try await device(call)
                _ = await device.host.person.forgetPlans()
                return try Reply.json(await PersonState(device))
            },
        ]
    }

    /// A word, or a word and how often, such as `no-match x 5`.
    private static let phraseSchema: Schema = {
        let words = PersonAct.vocabulary.map(\.word) + ["choose:[1-9][0-9]{0,2}"]
        let phrase = Schema.pattern("(?:\(words.joined(separator: "|")))(?: x (?:[1-9][0-9]?|100))?", 1...40)
        let meanings = PersonAct.vocabulary.map { "`\($0.word)` \($0.meaning)" }.joined(separator: "; ")
        return .named(
            "PersonAct",
            .described("\(meanings); `choose:N` takes the Nth account. `WORD x N` does it N times.", phrase))
    }()

    private static func acts(_ phrases: [JSONValue]) throws(APIError) -> [PersonAct] {
        var acts: [PersonAct] = []
        for phrase in phrases {
            guard let told = PersonAct.acts(phrase: phrase.text ?? "") else {
                throw APIError(422, .personActInvalid, "“\(phrase.text ?? "")” is nothing a person does.")
            }
            acts += told
        }
        return acts
    }
}

/// What the person at a device is at.
struct PersonState: Codable, Sendable {
    /// The acts they were told and not asked for yet.
    let planned: [String]
    /// What they are asked for, while a prompt waits for somebody to tell them.
    let openPrompt: Prompt?

    struct Prompt: Codable, Sendable {
        let asksFor: String
        let rpId: String?
        /// When it ends by itself, in seconds since the Unix epoch on the device's clock.
        let deadline: Double
    }

    init(_ device: ManagedDevice) async {
        planned = await device.host.person.plannedActs.map(\.word)
        openPrompt = await device.host.person.openPrompt.map {
            Prompt(asksFor: $0.asksFor, rpId: $0.relyingPartyID, deadline: $0.deadline / .seconds(1))
        }
    }
}
