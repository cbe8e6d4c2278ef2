import ArgumentParser
import DeviceActs
import DeviceHost
import Foundation

extension DeviceCommand {
    /// The passkeys that an export or an import is about.
    struct PasskeySelection: ParsableArguments {
        @Option(help: "Only passkeys of this account name.")
        var account: String?

        @Option(help: "Only passkeys of this RP ID.")
        var relyingParty: String?

        var arguments: [String: String] {
            var arguments: [String: String] = [:]
            arguments["account"] = account
            arguments["relying-party"] = relyingParty
            return arguments
        }
    }

    struct ExportPasskeys: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export-passkeys",
            abstract: "Export a device's passkeys to a document of the Credential Exchange Format.",
            discussion: """
                The screen is unlocked, and the user is verified. The document has the private keys: the file is readable \
                by its owner only. Device-bound passkeys and passkeys that count signatures are left out, and named.
                """)

        @Argument(help: "The file to write; a document there is replaced.", completion: .file())
        var file: String

        @OptionGroup var selection: PasskeySelection

        @Flag(help: "Also export passkeys that count signatures, which the format excludes.")
        var counting = false

        @OptionGroup var target: Target

        func run() async throws {
            var arguments = selection.arguments
            if counting { arguments["counting"] = "yes" }
            let act = try DeviceAct(verb: "export-passkeys", arguments: arguments)
            try await target.send(.exportPasskeys(act, path: URL(fileURLWithPath: file).path))
        }
    }

    struct ImportPasskeys: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import-passkeys",
            abstract: "Import the passkeys of a document of the Credential Exchange Format.",
            discussion: """
                A document with a damaged passkey is refused, with its line; --damaged skip imports the others. \
                A passkey that the device has already stays as it is; --existing overwrite replaces it.
                """)

        @Argument(help: "The file with the document.", completion: .file())
        var file: String

        @OptionGroup var selection: PasskeySelection

        @Option(help: "A passkey that the device has, or whose account has another one there: keep or overwrite.")
        var existing: String?

        @Option(help: "A passkey with mistakes: refuse imports nothing, skip imports the others.")
        var damaged: String?

        @OptionGroup var target: Target

        func run() async throws {
            var arguments = selection.arguments
            arguments["existing"] = existing
            arguments["damaged"] = damaged
            // The device reads the document itself.
            arguments["document"] = "{}"
            let act = try DeviceAct(verb: "import-passkeys", arguments: arguments)
            try await target.send(.importPasskeys(act, path: URL(fileURLWithPath: file).path))
        }
    }
}
