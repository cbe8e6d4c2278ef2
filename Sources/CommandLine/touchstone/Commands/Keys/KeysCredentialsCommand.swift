import ArgumentParser
import COSE
import CTAP
import KeyBench
import SecurityKeys
import WebAuthn

/// `touchstone keys credentials`.
struct KeysCredentialsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credentials", abstract: "List, rename and delete the discoverable credentials on a key.",
        subcommands: [List.self, Rename.self, Delete.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the discoverable credentials on a key.")

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
        @Flag(help: "Print JSON.")
        var json = false

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
            if json { return try Terminal.writeJSON(report) }
            var table = TextTable("RELYING PARTY", "ACCOUNT", "ALGORITHM", "PROTECTION", "ID")
            for row in report.credentials {
                table.add(
                    row.relyingPartyID, row.user ?? row.displayName ?? "-", row.algorithm ?? "-",
                    row.protection.map(String.init) ?? "-", row.id)
            }
            table.lines.forEach { Terminal.write($0) }
            Terminal.write("\(report.existing) credentials, room for \(report.remaining) more.")
        }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change the account name a key shows.")

        @Argument(help: "The credential's ID, in hexadecimal digits.")
        var id: String
        @Argument(help: "The account's name.")
        var name: String
        @Option(help: "The name the user would call themself; as it was by default.")
        var displayName: String?
        @OptionGroup var options: ManagedKeyOptions

        func run() async throws {
            let bytes = try KeyIdentifier.bytes(id)
            try await options.withKey(offering: [.credentialManagement]) { key, _, pin in
                let credential = try await KeysCredentialsCommand.credential(bytes, on: key, pin)
                try await key.rename(
                    credential, name: name, displayName: displayName ?? credential.user.displayName, pin: pin)
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a credential from a key, for good.")

        @Argument(help: "The credential's ID, in hexadecimal digits.")
        var id: String
        @OptionGroup var options: ManagedKeyOptions
        @Flag(help: "Do not ask.")
        var yes = false

        func run() async throws {
            let bytes = try KeyIdentifier.bytes(id)
            try await options.withKey(offering: [.credentialManagement]) { key, person, pin in
                let credential = try await KeysCredentialsCommand.credential(bytes, on: key, pin)
                if !yes {
                    let account = credential.user.name ?? "unnamed"
                    try person.confirm(
                        "\(person.key) loses the credential of \(account) at \(credential.relyingPartyID) for good.",
                        word: "delete")
                }
                try await key.deleteCredential(bytes, pin: pin)
            }
            Terminal.writeError("The credential is deleted.")
        }
    }

    /// The credential with an ID.
    static func credential(_ id: [UInt8], on key: any SecurityKey, _ pin: String?) async throws -> KeyCredential {
        let found = try await key.credentials(pin: pin).filter { $0.id == id }
        guard let only = found.first else {
            throw CommandError(
                "there is no discoverable credential \(Hex.encode(id)) on this key: `touchstone keys credentials list`",
                .badInput)
        }
        return only
    }
}
