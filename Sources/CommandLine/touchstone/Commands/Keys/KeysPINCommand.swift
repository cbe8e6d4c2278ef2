import ArgumentParser
import CTAP
import Foundation
import KeyBench
import Machine
import SecurityKeys
import Wording

/// `touchstone keys pin`.
struct KeysPINCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Show, set and change a key's PIN.",
        subcommands: [Status.self, Set.self, Change.self])

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Show whether a PIN is set, and the retries left.")

        private struct Report: Encodable {
            let isSet: Bool?
            let retries: Int?
            let minimumLength: Int
            let mustBeChanged: Bool
            /// Whether three wrong PINs block it until a power cycle; nil where the library does not say.
            let isBlockedUntilUnplugged: Bool?
            /// Whether no retries are left, after which only a reset helps.
            let isBlockedUntilReset: Bool
            /// The step that ends the block; nil without one.
            let remedy: String?
            /// The command that changes the PIN.
            let change: String

            private enum CodingKeys: String, CodingKey {
                case isSet, retries, minimumLength, mustBeChanged, isBlockedUntilUnplugged, isBlockedUntilReset, remedy
            }
        }

        @OptionGroup var options: KeyOptions

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let report = try await options.withKey { key, person in
                let info = try await key.info()
                let isSet = info.option(.clientPin)
                let retries = isSet == true ? try await key.pinRetries() : nil
                let needsPowerCycle = isSet == true ? try await key.isPINBlockedUntilUnplugged() : false
                return Report(
                    isSet: isSet, retries: retries, minimumLength: info.minPINLength ?? 4,
                    mustBeChanged: info.forcePINChange ?? false,
                    isBlockedUntilUnplugged: retries == 0 ? false : needsPowerCycle, isBlockedUntilReset: retries == 0,
                    remedy: retries == 0
                        ? person.command("reset") : needsPowerCycle == true ? KeyAdvice.powerCycle(person) : nil,
                    change: person.command("pin change"))
            }
            try output.write(report) { [Self.sentence(report)] }
        }

        private static func sentence(_ report: Report) -> String {
            switch report.isSet {
            case nil: "This key does not support a PIN."
            case false?: "No PIN is set; it needs at least \(Wording.counted(report.minimumLength, "character"))."
            case true?:
                "A PIN is set; retries left: \(report.retries ?? 0)."
                    + (report.isBlockedUntilReset
                        ? " It is blocked; only a reset, which erases the key, helps: \(report.remedy ?? "")." : "")
                    + (report.isBlockedUntilUnplugged == true
                        ? " It is blocked until a power cycle: \(report.remedy ?? "")." : "")
                    + (report.mustBeChanged
                        ? " It must be changed before the next use: \(report.change)." : "")
            }
        }
    }

    struct NewPIN: ParsableArguments {
        @Option(help: "Read the new PIN from the first line of this file. Or set $TOUCHSTONE_NEW_PIN.")
        var newPINFile: String?

        /// The new PIN for a key.
        ///
        /// - Throws: `CommandError` for a PIN that the key would refuse for its length (CTAP 2.3 §6.5.1): 4 to 63 bytes of
        ///   UTF-8, and at least the key's own minimum of characters.
        func read(for info: AuthenticatorInfo) throws -> String {
            let pin = try SecretInput(
                name: "new PIN", file: newPINFile, option: "--new-pin-file", variable: .newPIN
            ).read(isNew: true)
            let (count, least) = (pin.unicodeScalars.count, info.minPINLength ?? 4)
            guard count >= least else {
                throw CommandError(
                    "the new PIN has \(Wording.counted(count, "character")), and this key needs at least \(least); choose a longer one",
                    .badInput)
            }
            guard pin.utf8.count <= 63 else {
                throw CommandError("the new PIN has more than 63 bytes; choose a shorter one", .badInput)
            }
            return pin
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Set the first PIN of a key.",
            discussion: "A PIN can be changed later, but only `keys reset` removes it.")

        @OptionGroup var options: KeyOptions
        @OptionGroup var new: NewPIN
        @OptionGroup var confirmation: ConfirmationOptions

        func run() async throws {
            try await options.withKey { key, person in
                let info = try await key.info()
                switch info.option(.clientPin) {
                case false?: break
                case true?:
                    throw CommandError(
                        "\(person.key) already has a PIN; change it with \(person.command("pin change"))", .badInput)
                case nil: throw CommandError("\(person.key) does not support a PIN", .badInput)
                }
                let pin = try new.read(for: info)
                try confirmation.confirm("This will set a PIN on \(person.key). Only a reset removes it.")
                try await key.setPIN(pin)
            }
            Terminal.writeError("The PIN is set.")
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "change", abstract: "Change the PIN of a key.")

        @OptionGroup var options: KeyOptions
        @OptionGroup var pin: PINOptions
        @OptionGroup var new: NewPIN
        @OptionGroup var confirmation: ConfirmationOptions

        func run() async throws {
            try await options.withKey { key, person in
                let info = try await key.info()
                guard let current = try await pin.pin(of: key, saying: info, person, isChanging: true) else {
                    throw CommandError(
                        "\(person.key) has no PIN to change; set one with \(person.command("pin set"))", .badInput)
                }
                let new = try new.read(for: info)
                try confirmation.confirm("This will change the PIN of \(person.key).")
                try await key.changePIN(from: current, to: new)
            }
            Terminal.writeError("The PIN is changed.")
        }
    }
}
