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
        }

        @OptionGroup var options: KeyOptions

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let report = try await options.withKey { key, _ in
                let info = try await key.info()
                let isSet = info.option(.clientPin)
                return Report(
                    isSet: isSet, retries: isSet == true ? try await key.pinRetries() : nil,
                    minimumLength: info.minPINLength ?? 4, mustBeChanged: info.forcePINChange ?? false)
            }
            try output.write(report) { [Self.sentence(report)] }
        }

        private static func sentence(_ report: Report) -> String {
            switch report.isSet {
            case nil: "This key does not support a PIN."
            case false?: "No PIN is set; it needs at least \(Wording.counted(report.minimumLength, "character"))."
            case true?:
                "A PIN is set; retries left: \(report.retries ?? 0)."
                    + (report.mustBeChanged ? " It must be changed before the next use." : "")
            }
        }
    }

    struct NewPIN: ParsableArguments {
        @Option(help: "Read the new PIN from the first line of this file. Or set $TOUCHSTONE_NEW_PIN.")
        var newPINFile: String?

        func read() throws -> String {
            try SecretInput(
                name: "new PIN", file: newPINFile, option: "--new-pin-file", variable: .newPIN
            ).read(isNew: true)
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
                switch try await key.info().option(.clientPin) {
                case false?: break
                case true?:
                    throw CommandError("\(person.key) already has a PIN; change it with `keys pin change`", .badInput)
                case nil: throw CommandError("\(person.key) does not support a PIN", .badInput)
                }
                try confirmation.confirm("This sets a PIN on \(person.key). Only a reset removes it.")
                try await key.setPIN(try new.read())
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
                guard let current = try await pin.pin(of: key, saying: key.info(), person) else {
                    throw CommandError("\(person.key) has no PIN to change", .badInput)
                }
                let new = try new.read()
                try confirmation.confirm("This changes the PIN of \(person.key).")
                try await key.changePIN(from: current, to: new)
            }
            Terminal.writeError("The PIN is changed.")
        }
    }
}
