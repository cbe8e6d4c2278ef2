internal import Documents

/// The sentences that an app gets with the codes of an interface.
struct PlatformMessages: Hashable, Sendable {
    /// The sentences by the name of a code.
    private let own: [String: String]
    /// The sentences of an SDK by the platform's code that it passes on: those of each interface by the name of a code.
    private let passedOn: [String: [String: String]]

    /// The sentence that comes with a code.
    ///
    /// - Parameter cells: the cells of an outcome with this code.
    func message(of code: PlatformErrorCode, in cells: [PlatformErrorCell]) -> String? {
        cells.lazy.compactMap(\.origin).compactMap { passedOn[$0.interface]?[$0.name] }.first ?? own[code.name]
    }

    /// Reads a mapping of codes to sentences, and of earlier layers to such mappings.
    init(
        reading value: YAMLValue?, of codes: [PlatformErrorCode], below: [PlatformInterface]
    ) throws(SourceError) {
        var own: [String: String] = [:]
        var passedOn: [String: [String: String]] = [:]
        for (name, value) in try value?.entries() ?? [] {
            guard value.isMapping else {
                own[name] = try Self.sentence(value, of: name, among: codes)
                continue
            }
            guard let source = below.first(where: { $0.id == name }) else {
                throw value.error("there is no layer \(name) above this one")
            }
            for (code, value) in try value.entries() {
                passedOn[name, default: [:]][code] = try Self.sentence(value, of: code, among: source.codes)
            }
        }
        (self.own, self.passedOn) = (own, passedOn)
    }

    private static func sentence(
        _ value: YAMLValue, of name: String, among codes: [PlatformErrorCode]
    ) throws(SourceError) -> String {
        guard codes.contains(where: { $0.name == name }) else { throw value.error("there is no code \(name)") }
        return try value.string()
    }
}
