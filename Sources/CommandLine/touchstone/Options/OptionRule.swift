import ArgumentParser

/// Rules for options that depend on another option or exclude it.
enum OptionRule {
    /// Options by their names, and whether the user gives them.
    typealias Options = KeyValuePairs<String, Bool>

    /// Refuses options without the one that they need.
    static func need(_ other: String, _ isGiven: Bool, for options: Options) throws {
        let idle = given(options)
        guard !isGiven, !idle.isEmpty else { return }
        throw ValidationError(
            "\(list(idle)) \(idle.count == 1 ? "needs" : "need") \(other); add it, or remove \(list(idle)).")
    }

    /// Refuses options that have no effect beside another one.
    static func exclude(_ other: String, _ isGiven: Bool, from options: Options) throws {
        let idle = given(options)
        guard isGiven, !idle.isEmpty else { return }
        let has = idle.count == 1 ? "has" : "have"
        throw ValidationError("\(list(idle)) \(has) no effect with \(other); remove one or the other.")
    }

    private static func given(_ options: Options) -> [String] { options.filter(\.value).map(\.key) }

    private static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.joined() }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
