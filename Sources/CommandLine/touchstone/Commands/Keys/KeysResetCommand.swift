import ArgumentParser
import CTAP
import KeyBench
import SecurityKeys

/// `touchstone keys reset`.
struct KeysResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Erase everything on a key: credentials, PIN, fingers, large blobs.",
        discussion: """
            Most keys allow it within ten seconds after they were plugged in only, and want to be touched. What the \
            key was registered to does not know it any more.
            """)

    @OptionGroup var options: KeyOptions
    @Flag(help: "Do not ask.")
    var yes = false

    func run() async throws {
        try await options.withKey { key, person in
            if !yes {
                try person.confirm(
                    "Everything on \(person.key) is erased for good: credentials, PIN, fingers, large blobs.",
                    word: "reset")
            }
            try await key.reset()
        }
        Terminal.writeError("The key is as it was when it was new.")
    }
}

/// `touchstone keys touch`.
struct KeysTouchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "touch", abstract: "Let every key wait for a touch, and tell which one was touched.")

    @Option(help: "The keys: \(DeviceSelector.spellings); all there are by default. Repeat for several.")
    var device: [String] = []

    func run() async throws {
        var devices: [BenchDevice] = []
        for wanted in device { devices += try await KeyOptions.devices(wanted) }
        if device.isEmpty { devices = try await KeyOptions.devices(nil) }
        guard !devices.isEmpty else { throw CommandError("there is no security key here", .notThere) }
        let person = KeyPerson(key: "")
        let touched = try await Interruption.cancelling { [devices] in
            try await TouchSelection.select(among: devices, onKeepalive: person.keepalive)
        }
        person.isDone()
        Terminal.write(touched.selector.description)
    }
}
