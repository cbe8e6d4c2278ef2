internal import CTAP
internal import DeviceHost
internal import Documents
internal import HTTPTypes
internal import LoopbackHTTP
internal import SimulatedDevice

extension ControlOperations {
    var people: [Operation] {
        [
            onDevice(
                .post, "/person/acts", "tellPerson", "Queue acts of the user for the open prompt or the next prompts",
                .people, body: .object(.required("acts", .array(Self.phraseSchema, count: 1...100))),
                answer: .person, errors: [422]
            ) { device, call in
                let acts = (call.body["acts"]?.array ?? []).flatMap { UserAct.acts(phrase: $0.text ?? "") ?? [] }
                do {
                    _ = try await device.host.perform(.present(acts))
                } catch {
                    throw APIError(422, "person.impossible", because: error)
                }
                return await UserState(device)
            },
            onDevice(
                .get, "/person/acts", "readPlannedActs",
                "Read the user's planned acts, those that a prompt ignored, and the open prompt",
                .people,
                answer: .person
            ) { device, _ in await UserState(device) },
            onDevice(
                .delete, "/person/acts", "forgetPlannedActs", "Forget the user's planned and ignored acts", .people,
                answer: .person
            ) { device, _ in
                _ = try await device.host.perform(.present([], replacing: true))
                device.ignored.forget()
                return await UserState(device)
            },
        ]
    }

    /// A word, or a word with a number of repetitions, such as `no-match x 5`.
    private static let phraseSchema: Schema = {
        var phrase = Schema.Text(
            length: 1...60, pattern: UserAct.phrasePattern,
            problem: { UserAct.acts(phrase: $0) == nil ? UserAct.problem(ofPhrase: $0) : nil })
        phrase.examples = UserAct.vocabulary.map(\.word)
        let meanings = UserAct.vocabulary.map { "`\($0.word)` \($0.meaning)" }.joined(separator: "; ")
        return .named(
            "PersonAct",
            .described(
                "\(meanings); `choose:N` chooses the Nth account. `WORD x N` repeats the act N times.", .string(phrase))
        )
    }()
}

/// The user at a device.
struct UserState: Codable, Sendable {
    /// The acts that no prompt has asked for yet.
    let planned: [String]
    /// The words of the acts that prompts of the device can ask for in its present state.
    let possible: [String]
    /// The acts that a prompt ignored, since the device's start or since the acts were last forgotten.
    let ignored: [IgnoredAct]
    let openPrompt: Prompt?

    struct Prompt: Codable, Sendable {
        let asksFor: String
        let rpId: String?
        /// The CTAP command that asks, such as `MakeCredential`; nil for the choice of an account, an app or an enrolment.
        let command: String?
        /// The deadline, in seconds since the Unix epoch on the device's clock.
        let deadline: Double
        /// The words of the acts that answer the prompt; another act has no effect there.
        let answers: [String]
        /// The accounts to choose from, the first one for `choose:1`; empty for another question.
        let accounts: [String]
        /// The ceremony that asks; nil for a client outside this server, an app or an enrolment.
        let request: Request?
    }

    /// A ceremony that has not ended.
    struct Request: Codable, Sendable {
        let kind: CeremonyRecord.Kind
        /// The caller: a page's origin, or an app's facet.
        let origin: String?
        /// The account name in the options of a registration.
        let userName: String?
        /// The accounts of the device's credentials that the options name or allow.
        let accounts: [String]
    }

    init(_ device: ManagedDevice) async {
        planned = await device.host.person.plannedActs.map(\.word)
        possible = await device.host.possibleActs.words
        ignored = device.ignored.all
        openPrompt = await device.host.person.openPrompt.map { prompt in
            Prompt(
                asksFor: prompt.asksFor, rpId: prompt.relyingPartyID, command: prompt.command?.name,
                deadline: device.host.clock.shown(prompt.deadline) / .seconds(1),
                answers: prompt.question.answers,
                accounts: prompt.question.accounts.map { $0.name ?? $0.displayName ?? "" },
                request: device.ceremonies.running(of: device.source, for: prompt.relyingPartyID).map {
                    Request(kind: $0.kind, origin: $0.origin, userName: $0.userName, accounts: $0.accounts)
                })
        }
    }
}

extension TypedAnswer<UserState> {
    fileprivate static var person: Self {
        Self("The user's planned acts, those that a prompt ignored, and the open prompt", named: "Person")
    }
}
