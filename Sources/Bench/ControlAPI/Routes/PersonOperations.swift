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
                summary: "Tell the user acts for the open prompt or the next ones", tag: "people",
                body: .object(.required("acts", .array(Self.phraseSchema, count: 1...100))),
                answer: .json(PersonState.self, "The user's planned acts and the open prompt", named: "Person"),
                errors: [422]
            ) { call in
                let device = try await device(call)
                let acts = try Self.acts(call.body["acts"]?.array ?? [])
                for act in acts { await device.host.person.tell(act) }
                return try Reply.json(await PersonState(device))
            },
            Operation(
                method: .get, path: "/v1/devices/{device}/person/acts", name: "readPlannedActs",
                summary: "Read the user's planned acts and the open prompt", tag: "people",
                answer: .json(PersonState.self, "The user's planned acts and the open prompt", named: "Person")
            ) { call in try Reply.json(await PersonState(try await device(call))) },
            Operation(
                method: .delete, path: "/v1/devices/{device}/person/acts", name: "forgetPlannedActs",
                summary: "Forget the user's planned acts", tag: "people",
                answer: .json(PersonState.self, "The user, without planned acts", named: "Person")
            ) { call in
                let device = try await device(call)
                _ = await device.host.person.forgetPlans()
                return try Reply.json(await PersonState(device))
            },
        ]
    }

    /// A word, or a word with a number of repetitions, such as `no-match x 5`.
    private static let phraseSchema: Schema = {
        let words = PersonAct.vocabulary.map(\.word) + ["choose:[1-9][0-9]{0,2}"]
        let phrase = Schema.pattern("(?:\(words.joined(separator: "|")))(?: x (?:[1-9][0-9]?|100))?", 1...40)
        let meanings = PersonAct.vocabulary.map { "`\($0.word)` \($0.meaning)" }.joined(separator: "; ")
        return .named(
            "PersonAct",
            .described("\(meanings); `choose:N` chooses the Nth account. `WORD x N` repeats the act N times.", phrase))
    }()

    private static func acts(_ phrases: [JSONValue]) throws(APIError) -> [PersonAct] {
        var acts: [PersonAct] = []
        for phrase in phrases {
            guard let told = PersonAct.acts(phrase: phrase.text ?? "") else {
                throw APIError(422, .personActInvalid, "“\(phrase.text ?? "")” is an unknown act of the user.")
            }
            acts += told
        }
        return acts
    }
}

/// The user at a device.
struct PersonState: Codable, Sendable {
    /// The acts told to the user for coming prompts.
    let planned: [String]
    /// The prompt that waits for an act; nil when none waits.
    let openPrompt: Prompt?

    struct Prompt: Codable, Sendable {
        let asksFor: String
        let rpId: String?
        /// The deadline, in seconds since the Unix epoch on the device's clock.
        let deadline: Double
    }

    init(_ device: ManagedDevice) async {
        planned = await device.host.person.plannedActs.map(\.word)
        openPrompt = await device.host.person.openPrompt.map {
            Prompt(asksFor: $0.asksFor, rpId: $0.relyingPartyID, deadline: $0.deadline / .seconds(1))
        }
    }
}
