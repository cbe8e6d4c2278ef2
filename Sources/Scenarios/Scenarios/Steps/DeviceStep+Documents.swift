internal import DeviceActs
internal import Documents

extension DeviceStep {
    /// The verb of an act that makes or reads a document, which has a name in a scenario.
    static func transfer(_ act: DeviceVerb) -> StepVerb {
        let reads = act.parameters.contains { $0.kind == .document }
        let meaning =
            reads ? "The name of a document that an earlier step exported." : "The document's name for later steps."
        let keys =
            [Schema.Member.required("name", .string(1...Int.max), meaning)]
            + act.members.filter { member in
                !act.parameters.contains { $0.name == member.name && $0.kind == .document }
            }
        return StepVerb(act.word, at: place, keys: keys) { fields throws(SourceError) in
            let name = try fields.required("name").string()
            let act = try fields.act(act)
            return .device(reads ? .importPasskeys(act, name: name) : .exportPasskeys(act, name: name))
        }
    }
}
