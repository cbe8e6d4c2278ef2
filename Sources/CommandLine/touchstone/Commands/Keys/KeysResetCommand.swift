import ArgumentParser
import CTAP
import KeyBench
import SecurityKeys

/// `touchstone keys reset`.
struct KeysResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Erase everything on a key: credentials, PIN, fingers, large blobs.",
        discussion: """
            Most keys allow a reset only within ten seconds after they were plugged in, and need a touch. Accounts \
            registered with the key lose it.
            """)

    @OptionGroup var options: KeyOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
        try await options.withKey { key, person in
            try confirmation.confirm(
                "This will permanently erase everything on \(person.key): credentials, PIN, fingers, large blobs.",
                word: "reset")
            try await key.reset()
        }
        Terminal.writeError("The key is reset.")
    }
}

/// `touchstone keys touch`.
struct KeysTouchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "touch", abstract: "Wait for a touch on any key, and print the key that was touched.")

    @Option(help: "The keys: \(DeviceSelector.spellings); default: all. Repeatable.")
    var device: [String] = []

    func run() async throws {
        var devices: [BenchDevice] = []
        for wanted in device { devices += try await KeyOptions.devices(wanted) }
        if device.isEmpty { devices = try await KeyOptions.devices(nil) }
        guard !devices.isEmpty else {
            throw CommandError(
                "no security key was found; plug one in, or name a virtual one: --device virtual:yubikey-5-nfc-5.7",
                .notFound)
        }
        let person = KeyUser(key: "")
        let touched = try await Interruption.cancelling { [devices] in
            try await TouchSelection.select(among: devices, onKeepalive: person.keepalive)
        }
        person.isDone()
        Terminal.write(touched.selector.description)
    }
}
