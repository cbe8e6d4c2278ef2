import ArgumentParser
import CTAP
import KeyBench
import SecurityKeys
import WebAuthn
import Wording

/// `touchstone keys fingerprints`.
struct KeysFingerprintsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fingerprints", abstract: "List, enrol, name and remove the fingers of a key.",
        subcommands: [List.self, Enrol.self, Name.self, Remove.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the enrolled fingers of a key.")

        private struct Row: Encodable {
            let id: String
            let name: String?
        }

        @OptionGroup var options: ManagedKeyOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let rows = try await options.withKey(offering: [.fingerprints]) { key, _, pin in
                try await key.fingerprints(pin: pin).map {
                    Row(id: Hex.encode($0.id), name: $0.name)
                }
            }
            guard !rows.isEmpty || output.json else { return Terminal.writeError("No finger is enrolled.") }
            try output.write(rows, "ID", "NAME") { [$0.id, $0.name ?? "-"] }
        }
    }

    struct Enrol: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enrol", abstract: "Enrol a finger: touch the sensor until the key has enough samples.")

        @Option(help: "The finger's name.")
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
                case .mergeFailure?: "The sample does not match the previous samples."
                case .exists?: "That finger is already enrolled."
                case .noUserActivity?: "The sensor was not touched."
                case .noUserPresenceTransition?: "The finger was not lifted."
                case nil: "The key reports an unknown result."
                }
            return judged
                + (remaining == 0
                    ? " The finger is enrolled."
                    : " \(Wording.counted(remaining, "sample")) left: lift the finger and touch again.")
        }
    }

    struct Name: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "name", abstract: "Name a finger.")

        @OptionGroup var finger: FingerArgument
        @Argument(help: "The finger's new name.")
        var name: String
        @OptionGroup var options: ManagedKeyOptions

        func run() async throws {
            try await options.withKey(offering: [.fingerprints]) { key, _, pin in
                try await key.nameFingerprint(finger.find(on: key, pin).id, name, pin: pin)
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a finger from a key.")

        @OptionGroup var finger: FingerArgument
        @OptionGroup var options: ManagedKeyOptions
        @OptionGroup var confirmation: ConfirmationOptions

        func run() async throws {
            try await options.withKey(offering: [.fingerprints]) { key, person, pin in
                let finger = try await finger.find(on: key, pin)
                let name = finger.name ?? Hex.encode(finger.id)
                try confirmation.confirm("This will delete the finger \(name) from \(person.key).")
                try await key.removeFingerprint(finger.id, pin: pin)
            }
        }
    }
}
