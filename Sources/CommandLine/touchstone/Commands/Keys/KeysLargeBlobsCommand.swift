import ArgumentParser
import CTAP
import Foundation
import KeyBench
import SecurityKeys
import WebAuthn

/// `touchstone keys large-blobs`.
struct KeysLargeBlobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "large-blobs", abstract: "Read, write and remove the large blobs of a key's credentials.",
        discussion: "Only discoverable credentials made with a largeBlobKey have one.",
        subcommands: [List.self, Get.self, Set.self, Remove.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the credentials that may have a large blob.")

        private struct Row: Encodable {
            let id: String
            let relyingPartyID: String
            let user: String?
            let length: Int?
        }

        @OptionGroup var options: ManagedKeyOptions
        @Flag(help: "Print JSON.")
        var json = false

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
            if json { return try Terminal.writeJSON(rows) }
            var table = TextTable("RELYING PARTY", "ACCOUNT", "BYTES", "ID")
            for row in rows {
                table.add(row.relyingPartyID, row.user ?? "-", row.length.map(String.init) ?? "none", row.id)
            }
            table.lines.forEach { Terminal.write($0) }
        }
    }

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Write a credential's large blob to a file.")

        @Argument(help: "The credential's ID, in hexadecimal digits.")
        var id: String
        @Argument(help: "The file to make; it must not be there.", completion: .file())
        var file: String
        @OptionGroup var options: ManagedKeyOptions

        func run() async throws {
            let id = try KeyIdentifier.bytes(id)
            let blob = try await options.withKey(offering: [.largeBlobs, .credentialManagement]) { key, _, pin in
                let blobKey = try await KeysLargeBlobsCommand.blobKey(id, key, pin)
                return try await key.largeBlob(key: blobKey)
            }
            guard let blob else { throw CommandError("the credential has no large blob", .checkFailed) }
            do {
                try Data(blob).write(to: URL(fileURLWithPath: file), options: .withoutOverwriting)
            } catch {
                throw CommandError("\(file) cannot be written: \(error.localizedDescription)", .badInput)
            }
            Terminal.writeError("\(blob.count) bytes written to \(file).")
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a file's content the large blob of a credential, in place of one it has.")

        @Argument(help: "The credential's ID, in hexadecimal digits.")
        var id: String
        @Argument(help: "The file.", completion: .file())
        var file: String
        @OptionGroup var options: ManagedKeyOptions
        @Flag(help: "Do not ask before a blob is replaced.")
        var yes = false

        func run() async throws {
            let bytes = try KeyIdentifier.bytes(id)
            guard let data = FileManager.default.contents(atPath: file) else {
                throw CommandError("\(file) cannot be read", .badInput)
            }
            try await options.withKey(offering: [.largeBlobs, .credentialManagement]) { key, person, pin in
                let blobKey = try await KeysLargeBlobsCommand.blobKey(bytes, key, pin)
                if !yes, let old = try await key.largeBlob(key: blobKey) {
                    try person.confirm("On \(person.key), \(old.count) bytes are replaced.", word: "yes")
                }
                try await key.setLargeBlob(Array(data), key: blobKey, pin: pin)
            }
            Terminal.writeError("\(data.count) bytes written to the key.")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take the large blob of a credential away.")

        @Argument(help: "The credential's ID, in hexadecimal digits.")
        var id: String
        @OptionGroup var options: ManagedKeyOptions
        @Flag(help: "Do not ask.")
        var yes = false

        func run() async throws {
            let bytes = try KeyIdentifier.bytes(id)
            try await options.withKey(offering: [.largeBlobs, .credentialManagement]) { key, person, pin in
                let blobKey = try await KeysLargeBlobsCommand.blobKey(bytes, key, pin)
                if !yes { try person.confirm("\(person.key) loses the large blob of \(id).", word: "yes") }
                try await key.setLargeBlob(nil, key: blobKey, pin: pin)
            }
            Terminal.writeError("The large blob is gone.")
        }
    }

    private static func blobKey(_ id: [UInt8], _ key: any SecurityKey, _ pin: String?) async throws -> [UInt8] {
        guard let blobKey = try await KeysCredentialsCommand.credential(id, on: key, pin).largeBlobKey else {
            throw CommandError("this credential was made without a largeBlobKey: it can have no large blob", .badInput)
        }
        return blobKey
    }
}
