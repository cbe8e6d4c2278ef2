/// The judgement of a part of the computer: its state, and the way to a better one.
package struct NeedFinding: Hashable, Sendable, Encodable {
    package enum State: String, Hashable, Sendable, Encodable {
        case works
        case missing
        case stopped
        case notPermitted = "not permitted"
        case inUse = "in use"
        case unsuitable
        case notOnThisSystem = "not on this system"
    }

    /// A step that improves the state.
    package struct Remedy: Hashable, Sendable, Encodable {
        /// The effect, or the other way, in words.
        package let words: String
        /// The exact command; nil where a command cannot do it.
        package let command: String?

        init(_ words: String, _ command: String? = nil) { (self.words, self.command) = (words, command) }
    }

    package let need: MachineNeed
    package let state: State
    /// The path, version, owner or problem, in words.
    package let detail: String
    /// Empty for a part that works, or that cannot work here.
    package let remedies: [Remedy]

    package init(_ need: MachineNeed, _ sighting: Sighting, in surroundings: MachineSurroundings) {
        self.need = need
        (state, detail) = Self.judge(sighting, oldest: need.oldestVersion)
        let remedies = Remedy.all(for: need, sighting, state, in: surroundings)
        self.remedies = state == .works ? [] : remedies
    }

    private static func judge(_ sighting: Sighting, oldest: [Int]?) -> (State, String) {
        switch sighting {
        case .usable(let detail): return (.works, detail)
        case .program(let path, let line):
            let detail = line.map { "\(path), \($0)" } ?? path
            guard let oldest, let line, let numbers = Sighting.numbers(inVersion: line),
                numbers.lexicographicallyPrecedes(oldest)
            else { return (.works, detail) }
            let wanted = oldest.map(String.init).joined(separator: ".")
            return (.unsuitable, "\(detail); \(wanted) or later is needed")
        case .absent(let detail), .replaceable(let detail, by: _): return (.missing, detail)
        case .resting(let detail): return (.stopped, detail)
        case .refused(let path): return (.notPermitted, path)
        case .unsuitable(let path, let problem): return (.unsuitable, "\(path): \(problem)")
        case .taken(let owner): return (.inUse, owner.map { "by \($0)" } ?? "by a program of another user")
        case .foreign(let detail): return (.notOnThisSystem, detail)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case name
        case state
        case detail
        case remedies
        case usedBy = "used-by"
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(need.rawValue, forKey: .name)
        try values.encode(state, forKey: .state)
        try values.encode(detail, forKey: .detail)
        try values.encode(remedies, forKey: .remedies)
        try values.encode(need.uses.map(\.rawValue), forKey: .usedBy)
    }
}
