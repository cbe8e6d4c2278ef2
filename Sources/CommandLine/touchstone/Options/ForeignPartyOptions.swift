import ArgumentParser
import ForeignParties

/// The relying party of another program.
struct ForeignPartyOptions: ParsableArguments {
    @Option(
        name: .customLong("relying-party"),
        help: ArgumentHelp(
            "The relying party: a name of `touchstone relying-party list`, or the path of a YAML file.",
            valueName: "name"), completion: .relyingParties)
    var name: String?

    @Option(help: "The address of the relying party, in place of the file's.")
    var url: String?

    func validate() throws {
        try OptionRule.need("--relying-party", name != nil, for: ["--url": url != nil])
    }

    /// The description; nil for Touchstone's own relying party.
    func party() throws -> ForeignParty? { try name.map { try Self.party($0, at: url) } }

    /// The description with a name or at a path, at another address if one is given.
    static func party(_ name: String, at url: String?) throws -> ForeignParty {
        var party = try PartyLibrary.party(name)
        if let url {
            do {
                party = party.at(try PartyAddress(url))
            } catch {
                throw CommandError("--url: \(error)", .badInput)
            }
        }
        try party.checkAddress()
        return party
    }
}
