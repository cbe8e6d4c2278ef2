import ArgumentParser
import DeviceHost
import DeviceProfiles
import DeviceStore
import Foundation

extension DeviceCommand {
    struct Snapshot: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write everything a device remembers to a new state file.",
            discussion: """
                The copy is of one moment, and a state file like any other: `device start --state` brings it to life, \
                `device restore` takes the device back to it. Of a device with a sealed state it is sealed alike.
                """)

        @Argument(help: "The file to make.", completion: .file())
        var file: String

        @OptionGroup var target: Target

        func run() async throws {
            try await target.send(ControlRequest(.snapshot, argument: absolutePath(file)))
        }
    }

    struct Restore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a device what it was when a snapshot was taken.",
            discussion: """
                Its power is cycled. Counters start over where the snapshot has them, which relying parties take for a \
                cloned key. A sealed file must have the passphrase of the device's own state.
                """)

        @Argument(help: "The state file.", completion: .file())
        var file: String

        @OptionGroup var target: Target

        func run() async throws {
            let path = absolutePath(file)
            // What is wrong with the file is told as by other commands, before the device hears of it.
            _ = try StoreReader(path)
            try await target.send(ControlRequest(.restore, argument: path))
        }
    }

    struct Clone: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy a device that runs, and serve the copy until interrupted.",
            discussion: """
                Both have the same keys and the same counters from now on, each its own: whichever signs second with a \
                counter value shows a relying party that there are two of them.
                """)

        @Argument(help: "The state file to make for the copy.", completion: .file())
        var file: String

        @Option(help: "The name of the device to copy; needed only when several run.")
        var name: String?

        @Option(help: "The copy's name for other commands; by default the first one's with -clone.")
        var cloneName: String?

        @OptionGroup var serving: ServingOptions

        @OptionGroup var passphrase: PassphraseOptions

        func validate() throws {
            try serving.validate(name: cloneName)
        }

        func run() async throws {
            let path = absolutePath(file)
            let original = try await ControlClient().send(ControlRequest(.snapshot, argument: path), to: name)
            let store = try passphrase.unlocking { try DeviceStore.open(at: path, passphrase: $0) }
            let profile = try DeviceProfile(parsing: store.identity.profileText, file: path)
            // The original has the usual port.
            try await serving.serve(
                profile, name: cloneName ?? original.name + "-clone", usualPort: 0, store: store)
        }
    }
}

/// A path that means the same in another process.
private func absolutePath(_ path: String) -> String {
    URL(fileURLWithPath: path).path
}
