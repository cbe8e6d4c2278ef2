import ArgumentParser
import DeviceHost
import DeviceProfiles
import DeviceStore
import Foundation
internal import ProfileFiles

extension DeviceCommand {
    struct Snapshot: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "snapshot", abstract: "Write the state of a device to a new file.",
            discussion: """
                The snapshot is a state file: `device start --state` starts it, `device restore` returns the device to \
                it. The snapshot of a sealed state is sealed with the same passphrase.
                """)

        @Argument(help: "The file to create.", completion: .file())
        var file: String

        @OptionGroup var target: Target

        func run() async throws { try await target.send(.snapshot(path: absolutePath(file))) }
    }

    struct Restore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore", abstract: "Return a device to the state of a snapshot.",
            discussion: """
                The device goes through a power cycle. The signature counters are also restored; a relying party \
                may treat the device as a clone. A sealed file must have the passphrase of the device's own state.
                """)

        @Argument(help: "The state file.", completion: .file())
        var file: String

        @OptionGroup var target: Target

        func run() async throws {
            let path = absolutePath(file)
            // A bad file is reported here, before the device gets the request.
            _ = try StoreReader(path)
            try await target.send(.restore(path: path))
        }
    }

    struct Clone: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clone", abstract: "Clone a running device, and serve the clone until interrupted.",
            discussion: """
                Both start with the same keys and counters. The second signature with a counter value shows a relying \
                party that the device was cloned.
                """)

        @Argument(help: "The state file to create for the clone.", completion: .file())
        var file: String

        @Option(help: "The name of the device to clone; needed only when several run.")
        var name: String?

        @Option(help: "The clone's name for other commands; default: the device's name and -clone.")
        var cloneName: String?

        @OptionGroup var serving: ServingOptions

        @OptionGroup var passphrase: PassphraseOptions

        func validate() throws { try serving.validate(name: cloneName) }

        func run() async throws {
            let path = absolutePath(file)
            let original = try await DeviceSocketClient().send(.snapshot(path: path), to: name).status
            let store = try passphrase.unlocking { try DeviceStore.open(at: path, passphrase: $0) }
            let profile = try DeviceProfile(parsing: store.identity.profileText, file: path)
            // The original may use the usual port.
            try await serving.serve(profile, name: cloneName ?? original.name + "-clone", usualPort: 0, store: store)
        }
    }
}

/// A path that means the same in another process.
private func absolutePath(_ path: String) -> String { URL(fileURLWithPath: path).path }
