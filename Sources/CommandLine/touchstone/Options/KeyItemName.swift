import ArgumentParser
import CTAP
import SecurityKeys
import WebAuthn
import Wording

/// Something on a security key, as the user names it: by its name, its ID, or the beginning of the ID.
struct KeyItemName: ExpressibleByArgument, Sendable {
    private let text: String

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }

    /// The only item that it names.
    ///
    /// - Parameters:
    ///   - noun: the kind of item.
    ///   - listing: the command that lists the items.
    ///   - describe: an item's ID, its names, and words that tell it from others.
    /// - Throws: `CommandError` for none and for several.
    func only<Item>(
        of items: [Item], _ noun: String, listing: String,
        _ describe: (Item) -> (id: [UInt8], names: [String], words: String)
    ) throws(CommandError) -> Item {
        let all = items.map { (item: $0, about: describe($0)) }
        let named = all.filter { $0.about.names.contains(text) }
        let found = named.isEmpty ? all.filter { Hex.encode($0.about.id).hasPrefix(text.lowercased()) } : named
        guard let only = found.first else {
            throw CommandError(
                "this key has no \(noun) \"\(text)\""
                    + NearestNames.question(
                        text, among: all.flatMap(\.about.names), orElse: "list them with `\(listing)`"), .badInput)
        }
        guard found.count == 1 else {
            let choices = found.map { "\(Hex.encode($0.about.id).prefix(16))… (\($0.about.words))" }
            throw CommandError(
                "\"\(text)\" names \(Wording.counted(found.count, noun)): \(choices.joined(separator: ", ")); give the "
                    + "beginning of one's ID", .badInput)
        }
        return only.item
    }
}

/// The credential a command works on.
struct CredentialArgument: ParsableArguments {
    @Argument(help: "The credential: its account, its ID, or the beginning of the ID.")
    var credential: KeyItemName

    func find(on key: any SecurityKey, _ pin: String?) async throws -> KeyCredential {
        try credential.only(
            of: try await key.credentials(pin: pin), "discoverable credential",
            listing: "touchstone keys credentials list"
        ) { credential in
            let names = [credential.user.name, credential.user.displayName].compactMap(\.self)
            return (credential.id, names, "\(names.first ?? "unnamed") at \(credential.relyingPartyID)")
        }
    }
}

/// The finger a command works on.
struct FingerArgument: ParsableArguments {
    @Argument(help: "The finger: its name, its ID, or the beginning of the ID.")
    var finger: KeyItemName

    func find(on key: any SecurityKey, _ pin: String?) async throws -> Fingerprint {
        try finger.only(
            of: try await key.fingerprints(pin: pin), "finger", listing: "touchstone keys fingerprints list"
        ) { ($0.id, [$0.name].compactMap(\.self), $0.name ?? "unnamed") }
    }
}
