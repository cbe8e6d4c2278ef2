internal import ControlAPI
internal import Documents
internal import ModelContext
internal import RelyingParty
internal import RelyingPartyServer
internal import WebAuthn

extension Bench {
    var partyTools: [ContextTool] {
        [
            ceremonyTool(
                "register_passkey", "createCredential", "register", title: "Register a passkey",
                "Register a passkey of a device for an account at this program's relying party, as its page does; opens the account.",
                account: .required("username", .string(1...64), "The account's name."),
                begin: { _ in [:] }),
            ceremonyTool(
                "sign_in", "getCredential", "authenticate", title: "Sign in with a passkey",
                "Sign in to this program's relying party with a passkey of a device, as its page does.",
                account: .optional("username", .string(1...64), "The account's name; default: the passkey's."),
                begin: { $0.text("username").map { ["username": .text($0)] } ?? [:] }),
        ]
    }

    /// A ceremony of the relying party: begun there, performed by a device, completed there.
    private func ceremonyTool(
        _ name: String, _ operationName: String, _ path: String, title: String, _ summary: String,
        account: Schema.Member, begin: @escaping @Sendable (Arguments) -> [String: JSONValue]
    ) -> ContextTool {
        let operation = control.operation(operationName)
        // The relying party and its page give the rest.
        let given: Set<String> = ["options", "origin", "topOrigin", "mediation", "gesture"]
        var members: [Schema.Member] = []
        if case .object(let all)? = operation?.input { members = all.members.filter { !given.contains($0.name) } }
        let input = Schema.object(Schema.Members(members: members + [account]))
        return ContextTool(name, title: title, summary, .changing, input: input) { [party] value, _ in
            let arguments = Arguments(value)
            let session = party.session()
            if account.isRequired {
                let entered = try await party.enter(arguments.text(account.name) ?? "", in: session)
                try Self.requireSuccess(entered)
            }
            let begun = try await BenchParty.send(
                "/passkeys/\(path)/begin", .object(begin(arguments)), in: session)
            try Self.requireSuccess(begun)
            var request = value.without("username").object ?? [:]
            request["options"] = try begun.decode(JSONValue.self)
            request["origin"] = .text(session.origin)
            let answer = try await operation?.answer(.object(request)) ?? [:]
            guard let credential = answer["credential"] else { throw Self.failure(answer) }
            let completed = try await BenchParty.send("/passkeys/\(path)/complete", credential, in: session)
            let verdict = credential["rawId"]?.text.flatMap(Base64URL.decode).flatMap(party.verdict)
            try Self.requireSuccess(completed, verdict)
            return try ToolAnswer([
                "accepted": true, "credentialId": credential["id"] ?? .null,
                "username": verdict?.username.map(JSONValue.text) ?? .null,
                "seconds": answer["elapsedSeconds"] ?? .null,
            ])
        }
    }

    /// - Throws: `ToolFailure` with the relying party's code, sentence and failed steps.
    private static func requireSuccess(_ exchange: RelyingPartyExchange, _ verdict: RelyingPartyEvent? = nil) throws {
        guard let problem = exchange.problem else { return }
        let steps = (verdict?.ledger.failures ?? []).map { entry in
            let reasons = entry.outcome.reasons.map(\.explanation)
            return entry.step.rawValue + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))")
        }
        throw ToolFailure(
            problem.code,
            problem.message + (steps.isEmpty ? "" : " Failed steps: " + steps.joined(separator: ", ") + "."))
    }

    /// The failure of a ceremony at the device, as the page, the app and the device see it.
    private static func failure(_ answer: JSONValue) -> ToolFailure {
        let error = answer["error"] ?? [:]
        let cause = error["cause"]?.text ?? "failed"
        let errors = (answer["faces"]?.array ?? []).compactMap { $0["text"]?.text }
        var parts = ["The page gets \(error["name"]?.text ?? "an error")."]
        if let reason = error["deviceReason"]?.text ?? error["reason"]?.text {
            parts.append("The reason is \(reason).")
        }
        if let detail = error["detail"]?.text { parts.append(detail) }
        if !errors.isEmpty { parts.append("An app gets: \(errors.prefix(6).joined(separator: "; ")).") }
        return ToolFailure(cause, parts.joined(separator: " "))
    }
}
