import ArgumentParser
import COSE
import CTAP
import KeyBench
import SecurityKeys
import Tables
import WebAuthn
import Wording

/// `touchstone keys credentials`.
struct KeysCredentialsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credentials", abstract: "List, rename and delete the discoverable credentials on a key.",
        subcommands: [List.self, Rename.self, Delete.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the discoverable credentials on a key.")

        private struct Report: Encodable {
            struct Row: Encodable {
                let id: String
                let relyingPartyID: String
                let user: String?
                let displayName: String?
                let userID: String
                let algorithm: String?
                let protection: Int?
            }

            let existing: Int
            let remaining: Int
            let credentials: [Row]
        }

        @OptionGroup var options: ManagedKeyOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let report = try await options.withKey(offering: [.credentialManagement]) { key, _, pin in
                let counts = try await key.credentialCounts(pin: pin)
                let credentials = try await key.credentials(pin: pin)
                return Report(
                    existing: counts.existing, remaining: counts.remaining,
                    credentials: credentials.map { credential in
                        Report.Row(
                            id: Hex.encode(credential.id), relyingPartyID: credential.relyingPartyID,
                            user: credential.user.name, displayName: credential.user.displayName,
                            userID: Hex.encode(credential.user.id),
                            algorithm: credential.algorithm.map { COSE.Algorithm(rawValue: $0).description },
                            protection: credential.protection)
                    })
            }
            try output.write(report) {
                var table = TextTable("RELYING PARTY", "ACCOUNT", "ALGORITHM", "PROTECTION", "ID")
                for row in report.credentials {
                    table.add(
                        row.relyingPartyID, row.user ?? row.displayName ?? "-", row.algorithm ?? "-",
                        row.protection.map(String.init) ?? "-", row.id)
                }
                return table.lines
                    + ["\(Wording.counted(report.existing, "credential")), room for \(report.remaining) more."]
            }
        }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename", abstract: "Change the account name of a credential.")

        @OptionGroup var credential: CredentialArgument
        @Argument(help: "The new account name.")
        var name: String
        @Option(help: "The new display name; default: unchanged.")
        var displayName: String?
        @OptionGroup var options: ManagedKeyOptions

        func run() async throws {
            let old = try await options.withKey(offering: [.credentialManagement]) { key, _, pin in
                let credential = try await credential.find(on: key, pin)
                try await key.rename(
                    credential, name: name, displayName: displayName ?? credential.user.displayName, pin: pin)
                return credential
            }
            Terminal.writeError(
                "The credential of \(old.user.name ?? "an unnamed account") at \(old.relyingPartyID) is named \(name) now."
            )
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a credential from a key permanently.")

        @OptionGroup var credential: CredentialArgument
        @OptionGroup var options: ManagedKeyOptions
        @OptionGroup var confirmation: ConfirmationOptions

        func run() async throws {
            try await options.withKey(offering: [.credentialManagement]) { key, person, pin in
                let credential = try await credential.find(on: key, pin)
                let account = credential.user.name ?? "unnamed"
                try confirmation.confirm(
                    "This will permanently delete the credential of \(account) at \(credential.relyingPartyID) from \(person.key).",
                    word: "delete")
                try await key.deleteCredential(credential.id, pin: pin)
            }
            Terminal.writeError("The credential is deleted.")
        }
    }
}
