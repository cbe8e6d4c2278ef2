import ArgumentParser
import DeviceStore
import Foundation
import SimulatedDevice

extension DeviceCommand {
    struct Inspect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what a state file holds, without its secrets.",
            discussion: """
                The file stays as it is, and a device may be running on it. Without its passphrase a sealed file shows \
                only how much there is.
                """)

        @Argument(help: "The state file.", completion: .file())
        var file: String

        @OptionGroup var passphrase: PassphraseOptions

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let description = try await StateDescription(try StoreReader(file)) { reader in
                do {
                    return try passphrase.unlocking { try reader.content(passphrase: $0) }
                } catch DeviceStoreError.passphraseNeeded {
                    return nil
                }
            }
            if json {
                try Terminal.writeJSON(description)
            } else {
                description.lines.forEach { Terminal.write($0) }
            }
        }
    }
}
