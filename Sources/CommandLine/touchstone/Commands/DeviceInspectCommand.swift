import ArgumentParser
import DeviceStore
import Foundation
import SimulatedDevice

extension DeviceCommand {
    struct Inspect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "inspect", abstract: "Show the contents of a state file, without its secrets.",
            discussion: """
                The file is only read, and may be in use by a device. Without the passphrase, the command shows only \
                the counts of a sealed file.
                """)

        @Argument(help: "The state file.", completion: .file())
        var file: String

        @OptionGroup var passphrase: PassphraseOptions

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let description = try await StateDescription(try StoreReader(file)) { reader in
                do {
                    return try passphrase.unlocking { try reader.content(passphrase: $0) }
                } catch DeviceStoreError.passphraseNeeded {
                    return nil
                }
            }
            try output.write(description) { description.lines }
        }
    }
}
