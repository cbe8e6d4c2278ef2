internal import ArgumentParser
import DeviceProfiles
package import DeviceStore
import Foundation
import Machine

/// The state file of a device.
struct StateOptions: ParsableArguments {
    @Option(help: "Keep the device's state in this file; created when it is missing.")
    var state: String?

    @OptionGroup var passphrase: PassphraseOptions

    @Option(
        help: """
            The durability of a write: full waits for the disk; normal survives a crash of the process, but not a power \
            failure.
            """)
    var durability: DeviceStore.Durability = .full

    func validate() throws {
        try OptionRule.need(
            "--state", state != nil,
            for: [
                "--passphrase-file": passphrase.passphraseFile != nil, "--ask-passphrase": passphrase.askPassphrase,
                "--durability": durability != .full,
            ])
    }

    /// Opens or creates the file; nil without `--state`.
    func store(of profile: DeviceProfile) throws -> DeviceStore? {
        guard let state else { return nil }
        return try passphrase.unlocking(isNew: !FileManager.default.fileExists(atPath: state)) { passphrase in
            try DeviceStore.openOrCreate(
                at: state, for: DeviceIdentity(profile),
                createdAt: .seconds(MachineClock.shared.now().components.seconds),
                passphrase: passphrase, durability: durability)
        }
    }
}

extension DeviceStore.Durability: ExpressibleByArgument {}

/// The passphrase of a sealed state file.
///
/// It is never a command-line argument, because every process can list command lines.
struct PassphraseOptions: ParsableArguments {
    @Option(
        help: """
            Seal the state file, or open a sealed one, with the first line of this file; - for standard input, \
            /dev/fd/N for a descriptor. Or set $TOUCHSTONE_PASSPHRASE.
            """)
    var passphraseFile: String?

    @Flag(help: "Ask for the passphrase on the terminal.")
    var askPassphrase = false

    func validate() throws {
        try OptionRule.exclude("--ask-passphrase", askPassphrase, from: ["--passphrase-file": passphraseFile != nil])
    }

    /// - Parameter isNew: Whether the passphrase is a new one, and is asked for twice.
    func unlocking<Result>(isNew: Bool = false, _ work: ([UInt8]?) throws -> Result) throws -> Result {
        let input = SecretInput(
            name: "passphrase", file: passphraseFile, option: "--passphrase-file", variable: .passphrase)
        var passphrase = try askPassphrase ? Array(input.ask(isNew: isNew).utf8) : input.storedBytes()
        defer { passphrase?.erase() }
        do {
            return try work(passphrase)
        } catch DeviceStoreError.passphraseNeeded(let path) where isatty(STDIN_FILENO) == 1 {
            Terminal.writeError("\(path) is sealed.")
            var passphrase = Array(try input.ask().utf8)
            defer { passphrase.erase() }
            return try work(passphrase)
        }
    }
}
