import ArgumentParser
import CTAP
import Foundation
import KeyBench
import Machine
import SecurityKeys
import WebAuthn
import Wording

/// `touchstone keys large-blobs`.
struct KeysLargeBlobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "large-blobs", abstract: "Read, write and remove the large blobs of a key's credentials.",
        discussion: "Only discoverable credentials made with a largeBlobKey have one.",
        subcommands: [List.self, Get.self, Set.self, Remove.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the credentials that can have a large blob.")

        private struct Row: Encodable {
            let id: String
            let relyingPartyID: String
            let user: String?
            let length: Int?
        }

        @OptionGroup var options: ManagedKeyOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let rows = try await options.withKey(offering: [.largeBlobs, .credentialManagement]) { key, _, pin in
                var rows: [Row] = []
                for credential in try await key.credentials(pin: pin) {
                    guard let blobKey = credential.largeBlobKey else { continue }
                    rows.append(
                        Row(
                            id: Hex.encode(credential.id), relyingPartyID: credential.relyingPartyID,
                            user: credential.user.name, length: try await key.largeBlob(key: blobKey)?.count))
                }
                return rows
            }
            guard !rows.isEmpty || output.json else {
                return Terminal.write(
                    "No credential on the key can have a large blob: none was made with a largeBlobKey.")
            }
            try output.write(rows, "RELYING PARTY", "ACCOUNT", "BYTES", "ID") {
                [$0.relyingPartyID, $0.user ?? "-", $0.length.map(String.init) ?? "none", $0.id]
            }
        }
    }

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "get", abstract: "Write a credential's large blob to a file.")

        @OptionGroup var credential: CredentialArgument
        @Argument(help: "The file to create; it must not exist.", completion: .file())
        var file: String
        @OptionGroup var options: ManagedKeyOptions

        func run() async throws {
            let blob = try await options.withKey(offering: [.largeBlobs, .credentialManagement]) { key, _, pin in
                let blobKey = try KeysLargeBlobsCommand.blobKey(of: try await credential.find(on: key, pin))
                return try await key.largeBlob(key: blobKey)
            }
            guard let blob else { throw CommandError("the credential has no large blob", .checkFailed) }
            try CommandError.writing(file) {
                let descriptor = try OwnFile.create(file)
                defer { close(descriptor) }
                try OwnFile.write(blob, to: descriptor)
            }
            Terminal.writeError("\(Wording.counted(blob.count, "byte")) written to \(file).")
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Set or replace the large blob of a credential with a file's content.")

        @OptionGroup var credential: CredentialArgument
        @Argument(help: "The file to read.", completion: .file())
        var file: String
        @OptionGroup var options: ManagedKeyOptions
        @OptionGroup var confirmation: ConfirmationOptions

        func run() async throws {
            guard let data = FileManager.default.contents(atPath: file) else {
                throw CommandError("\(file) cannot be read", .badInput)
            }
            try await options.withKey(offering: [.largeBlobs, .credentialManagement]) { key, person, pin in
                let blobKey = try KeysLargeBlobsCommand.blobKey(of: try await credential.find(on: key, pin))
                if !confirmation.yes, let old = try await key.largeBlob(key: blobKey) {
                    let length = Wording.counted(old.count, "byte")
                    try confirmation.confirm("This will replace the existing large blob of \(length).")
                }
                try await key.setLargeBlob(Array(data), key: blobKey, pin: pin)
            }
            Terminal.writeError("\(Wording.counted(data.count, "byte")) written to the key.")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove the large blob of a credential.")

        @OptionGroup var credential: CredentialArgument
        @OptionGroup var options: ManagedKeyOptions
        @OptionGroup var confirmation: ConfirmationOptions

        func run() async throws {
            try await options.withKey(offering: [.largeBlobs, .credentialManagement]) { key, person, pin in
                let found = try await credential.find(on: key, pin)
                let blobKey = try KeysLargeBlobsCommand.blobKey(of: found)
                try confirmation.confirm(
                    "This will delete the large blob of \(found.user.name ?? Hex.encode(found.id)) from \(person.key).")
                try await key.setLargeBlob(nil, key: blobKey, pin: pin)
            }
            Terminal.writeError("The large blob is removed.")
        }
    }

    private static func blobKey(of credential: KeyCredential) throws -> [UInt8] {
        guard let blobKey = credential.largeBlobKey else {
            throw CommandError("the credential has no largeBlobKey, so it can have no large blob", .badInput)
        }
        return blobKey
    }
}
