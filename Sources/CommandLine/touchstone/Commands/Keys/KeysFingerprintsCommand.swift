import ArgumentParser
import CTAP
import KeyBench
import SecurityKeys
import WebAuthn

/// `touchstone keys fingerprints`.
struct KeysFingerprintsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fingerprints", abstract: "List, enrol, name and remove the fingers a key knows.",
        subcommands: [List.self, Enrol.self, Name.self, Remove.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the fingers a key knows.")

        private struct Row: Encodable {
            let id: String
            let name: String?
        }

        @OptionGroup var options: ManagedKeyOptions
        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let rows = try await options.withKey(offering: [.fingerprints]) { key, _, pin in
                try await key.fingerprints(pin: pin).map {
                    Row(id: Hex.encode($0.id), name: $0.name)
                }
            }
            if json { return try Terminal.writeJSON(rows) }
            guard !rows.isEmpty else { return Terminal.writeError("No finger is enrolled.") }
            var table = TextTable("ID", "NAME")
            for row in rows { table.add(row.id, row.name ?? "-") }
            table.lines.forEach { Terminal.write($0) }
        }
    }

    struct Enrol: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enrol", abstract: "Teach a key a finger: touch the sensor until it has seen enough.")

        @Argument(help: "What to call the finger.")
        var name: String?

        @OptionGroup var options: ManagedKeyOptions

        func run() async throws {
            let id = try await options.withKey(offering: [.fingerprints]) { key, person, pin in
                person.expects("Touch the sensor")
                let id = try await key.enrolFingerprint(pin: pin) { status, remaining in
                    person.isDone()
                    Terminal.writeError(Self.sentence(status, remaining))
                    person.expects("Lift the finger and touch the sensor again")
                }
                if let name { try await key.nameFingerprint(id, name, pin: pin) }
                return id
            }
            Terminal.write(Hex.encode(id))
        }

        private static func sentence(_ status: EnrollSampleStatus?, _ remaining: Int) -> String {
            let judged =
                switch status {
                case .good?: "Good."
                case .tooHigh?: "Too high."
                case .tooLow?: "Too low."
                case .tooLeft?: "Too far to the left."
                case .tooRight?: "Too far to the right."
                case .tooFast?: "Too fast."
                case .tooSlow?: "Too slow."
                case .poorQuality?: "Not clear enough."
                case .tooSkewed?: "Too skewed."
                case .tooShort?: "Too short."
                case .mergeFailure?: "It does not fit what was seen before."
                case .exists?: "That finger is known already."
                case .noUserActivity?: "Nobody touched the sensor."
                case .noUserPresenceTransition?: "The finger was not lifted."
                case nil: "The key says something unknown of it."
                }
            return judged
                + (remaining == 0 ? " The finger is enrolled." : " Another \(remaining): lift and touch again.")
        }
    }

    struct Name: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "name", abstract: "Name a finger.")

        @Argument(help: "The finger's ID, in hexadecimal digits.")
        var id: String
        @Argument(help: "What to call it.")
        var name: String
        @OptionGroup var options: ManagedKeyOptions

        func run() async throws {
            let id = try KeyIdentifier.bytes(id)
            try await options.withKey(offering: [.fingerprints]) { key, _, pin in
                try await key.nameFingerprint(id, name, pin: pin)
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Let a key forget a finger.")

        @Argument(help: "The finger's ID, in hexadecimal digits.")
        var id: String
        @OptionGroup var options: ManagedKeyOptions
        @Flag(help: "Do not ask.")
        var yes = false

        func run() async throws {
            let bytes = try KeyIdentifier.bytes(id)
            try await options.withKey(offering: [.fingerprints]) { key, person, pin in
                if !yes { try person.confirm("\(person.key) forgets the finger \(id).", word: "yes") }
                try await key.removeFingerprint(bytes, pin: pin)
            }
        }
    }
}

/// Identifiers as they are typed.
enum KeyIdentifier {
    static func bytes(_ text: String) throws -> [UInt8] {
        guard let bytes = Hex.decode(text), !bytes.isEmpty else {
            throw CommandError("\"\(text)\" is no ID: expected hexadecimal digits, as `list` prints them", .badInput)
        }
        return bytes
    }
}
