internal import ArgumentParser
import DeviceProfiles
package import DeviceStore
import Foundation

/// Where a device that runs in this terminal keeps its state.
struct StateOptions: ParsableArguments {
    @Option(help: "Keep the device's state in this file, and bring it back from there; made when it is missing.")
    var state: String?

    @OptionGroup var passphrase: PassphraseOptions

    @Option(help: "What a write survives: full waits for the disk, normal survives the end of the process only.")
    var durability: DeviceStore.Durability = .full

    func validate() throws {
        guard state != nil || !passphrase.isGiven else {
            throw ValidationError("A passphrase seals a state file: say which with --state.")
        }
    }

    /// Opens or makes the file; nil where none is wanted.
    func store(of profile: DeviceProfile) throws -> DeviceStore? {
        guard let state else { return nil }
        return try passphrase.unlocking(isNew: !FileManager.default.fileExists(atPath: state)) { passphrase in
            try DeviceStore.openOrCreate(
                at: state, for: DeviceIdentity(profile), createdAt: .seconds(Int64(Date().timeIntervalSince1970)),
                passphrase: passphrase, durability: durability)
        }
    }
}

extension DeviceStore.Durability: ExpressibleByArgument {}

/// Where the passphrase of a sealed state file comes from: never from the command line, which anybody may list.
struct PassphraseOptions: ParsableArguments {
    @Option(
        help: """
            Seal the state file, or open a sealed one, with the first line of this file; - is standard input, \
            /dev/fd/N a descriptor. $TOUCHSTONE_PASSPHRASE does the same.
            """)
    var passphraseFile: String?

    @Flag(help: "Seal the state file with a passphrase asked for on the terminal.")
    var askPassphrase = false

    var isGiven: Bool { passphraseFile != nil || askPassphrase }

    /// Does something with a file, with the passphrase it needs.
    ///
    /// - Parameter isNew: whether a passphrase that is asked for is a new one.
    func unlocking<Result>(isNew: Bool = false, _ work: ([UInt8]?) throws -> Result) throws -> Result {
        let given = try askPassphrase ? Self.ask(isNew: isNew) : read()
        do {
            return try work(given)
        } catch DeviceStoreError.passphraseNeeded(let path) where isatty(STDIN_FILENO) == 1 {
            Terminal.writeError("\(path) is sealed.")
            return try work(Self.ask(isNew: false))
        }
    }

    private func read() throws -> [UInt8]? {
        let text = try SecretInput.stored(
            file: passphraseFile, variable: "TOUCHSTONE_PASSPHRASE", what: "passphrase")
        guard let text else { return nil }
        guard !text.isEmpty else { throw CommandError("the passphrase is empty", .badInput) }
        return Array(text.utf8)
    }

    private static let remedy = "--passphrase-file or $TOUCHSTONE_PASSPHRASE can hold it"

    private static func ask(isNew: Bool) throws -> [UInt8] {
        let passphrase = try SecretInput.ask("Passphrase: ", what: "passphrase", remedy: remedy)
        guard try !isNew || SecretInput.ask("Again: ", what: "passphrase", remedy: remedy) == passphrase else {
            throw CommandError("the two passphrases differ", .badInput)
        }
        return Array(passphrase.utf8)
    }
}
