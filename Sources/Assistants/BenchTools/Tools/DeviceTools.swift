internal import ControlAPI
internal import Documents
internal import ModelContext
internal import SimulatedDevice

extension Bench {
    /// A tool that is an operation of the control API: its schema is the operation's.
    private struct ControlTool {
        let name: String
        let operation: String
        let title: String
        let effect: ContextTool.Effect
        /// What a model has to know beside the operation's summary.
        var advice = ""
        /// Shorter forms of the operation's members, which it checks itself.
        var briefly: [String: Schema] = [:]
        /// The part of the operation's answer that a model needs, by the arguments.
        var shorten: @Sendable (_ answer: JSONValue, _ arguments: JSONValue) -> JSONValue = { answer, _ in answer }
    }

    /// An act of the user; those with a detail are among the possible ones of device_state.
    private static let userAct: Schema = {
        let words = UserAct.vocabulary.filter { !$0.word.contains(":") }.map { "\($0.word): \($0.meaning)" }
        return .described(
            "WORD or WORD x N; device_state has further words. " + words.joined(separator: "; "), .string(1...60))
    }()

    /// The most events in an answer without a limit.
    private static let mostEvents = 40

    private static let controlTools = [
        ControlTool(
            name: "create_device", operation: "createDevice", title: "Start a device", effect: .changing,
            advice: "A phone or a security key, by a name of list_profiles.", shorten: { state, _ in shortState(state) }
        ),
        ControlTool(
            name: "list_devices", operation: "listDevices", title: "List the devices", effect: .reading),
        ControlTool(
            name: "delete_device", operation: "deleteDevice", title: "Delete a device", effect: .destroying),
        ControlTool(
            name: "act", operation: "perform", title: "Act on a device", effect: .destroying,
            advice: """
                For example verb lock-out, enrol, passcode, verify, lock, unlock or fault. An act that prompts uses the acts \
                of tell_user; without them a user of the kind auto agrees.
                """
        ) { answer, _ in answer.without("state").withShortErrors },
        ControlTool(
            name: "tell_user", operation: "tellPerson", title: "Plan the user's acts", effect: .changing,
            advice: "For example [\"no-match x 5\", \"passcode\"], [\"cancel\"] or [\"match\"].",
            briefly: ["acts": .array(userAct, count: 1...100)]),
        ControlTool(
            name: "move_clock", operation: "moveClock", title: "Move a device's clock", effect: .changing,
            advice: "Only a device that was started with the clock simulated can advance."),
        ControlTool(
            name: "events", operation: "readDeviceEvents", title: "Read a device's events", effect: .reading,
            advice: "Without a limit the newest \(mostEvents).", shorten: shortEvents),
    ]

    var deviceTools: [ContextTool] {
        [profilesTool, stateTool] + Self.controlTools.compactMap(tool)
    }

    private func tool(_ tool: ControlTool) -> ContextTool? {
        guard let operation = control.operation(tool.operation) else { return nil }
        let advice = tool.advice.isEmpty ? "" : " " + tool.advice
        return ContextTool(
            tool.name, title: tool.title, operation.summary + "." + advice, tool.effect,
            input: operation.input.replacing(tool.briefly), isInputExact: false
        ) { arguments, _ in
            try ToolAnswer(tool.shorten(try await operation.answer(arguments), arguments))
        }
    }

    private var profilesTool: ContextTool {
        ContextTool(
            "list_profiles", title: "List the profiles",
            "List the phones and security keys that create_device can start. The resource touchstone://profiles/NAME has a whole profile.",
            .reading,
            input: .object(
                .optional("words", .string(1...100), "Only profiles with each of these words, such as \"pixel face\"."))
        ) { [control] arguments, _ in
            guard let operation = control.operation("listProfiles") else { return try ToolAnswer([]) }
            let words = (arguments["words"]?.text ?? "").lowercased().split(separator: " ")
            let profiles = try await operation.answer([:]).array ?? []
            let lines = profiles.compactMap { profile -> String? in
                guard let name = profile["name"]?.text else { return nil }
                let title = profile["title"]?.text ?? profile["error"]?.text ?? ""
                let line = [name, profile["platform"]?.text, title].compactMap(\.self).joined(separator: " | ")
                return words.allSatisfy(line.lowercased().contains) ? line : nil
            }
            guard !lines.isEmpty else {
                throw ToolFailure("profile.notFound", "No profile has these words; leave words out for all profiles.")
            }
            return ToolAnswer(lines.joined(separator: "\n"))
        }
    }

    private var stateTool: ContextTool {
        let device = control.operation("readDevice")
        let user = control.operation("readPlannedActs")
        return ContextTool(
            "device_state", title: "Read a device's state",
            "Read a device's lockout, credentials, sensors, secrets and apps, its user's planned acts, and the open prompt.",
            .reading, input: device?.input ?? .object()
        ) { arguments, _ in
            var state = Self.shortState(try await device?.answer(arguments) ?? [:]).object ?? [:]
            state["user"] = try await user?.answer(arguments)
            return try ToolAnswer(.object(state))
        }
    }

    /// A device's state without the parameters of its profile.
    private static func shortState(_ state: JSONValue) -> JSONValue {
        let gate = state["gate"]
        let names = ["attemptsRemaining", "isFallbackOffered", "stage", "prompt"]
        let kept = (gate?.object ?? [:]).filter { names.contains($0.key) }
        let status = state["status"]?.without("processID", "uptimeSeconds", "needsPowerCycle", "planned")
        return .object(
            (state.without("gate", "status").object ?? [:])
                .merging(status?.object ?? [:]) { own, _ in own }
                .merging(kept) { own, _ in own })
    }

    /// The events as their texts; a cause names the errors, which `look_up_error` has.
    @Sendable private static func shortEvents(_ answer: JSONValue, _ arguments: JSONValue) -> JSONValue {
        let events = answer["events"]?.array ?? []
        let shown = events.suffix(arguments["limit"]?.integer ?? mostEvents).map { record in
            record["event"]?.without("faces", "kind").object.map { event in
                JSONValue.object(event.merging(["id": record["id"] ?? .null]) { own, _ in own })
            } ?? record
        }
        var short: [String: JSONValue] = ["events": .array(Array(shown)), "lastId": answer["lastId"] ?? .null]
        let left = events.count - shown.count + (answer["missed"]?.integer ?? 0)
        if left > 0 { short["earlierEvents"] = .integer(left) }
        return .object(short)
    }
}

extension Schema {
    /// The object with other forms of some members.
    fileprivate func replacing(_ forms: [String: Schema]) -> Schema {
        guard case .object(var members) = self else { return self }
        members.members = members.members.map { member in
            Member(name: member.name, schema: forms[member.name] ?? member.schema, isRequired: member.isRequired)
        }
        return .object(members)
    }
}
