import ArgumentParser
import CTAP
import Foundation
import KeyBench
import SecurityKeys

/// `touchstone keys pin`.
struct KeysPINCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "See, set and change a key's PIN.",
        subcommands: [Status.self, Set.self, Change.self])

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Tell whether a PIN is set and how many tries are left.")

        private struct Report: Encodable {
            let isSet: Bool?
            let retries: Int?
            let minimumLength: Int
            let mustBeChanged: Bool
        }

        @OptionGroup var options: KeyOptions

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let report = try await options.withKey { key, _ in
                let info = try await key.info()
                let isSet = info.option(.clientPin)
                return Report(
                    isSet: isSet, retries: isSet == true ? try await key.pinRetries() : nil,
                    minimumLength: info.minPINLength ?? 4, mustBeChanged: info.forcePINChange ?? false)
            }
            if json { return try Terminal.writeJSON(report) }
            switch report.isSet {
            case nil: Terminal.write("This key has no PIN.")
            case false?: Terminal.write("No PIN is set; it would have \(report.minimumLength) characters at least.")
            case true?:
                Terminal.write(
                    "A PIN is set; tries left: \(report.retries ?? 0)."
                        + (report.mustBeChanged ? " It has to be changed before it is used again." : ""))
            }
        }
    }

    /// Where the new PIN comes from.
    struct NewPIN: ParsableArguments {
        @Option(
            help: "Read the new PIN from the first line of this file. $TOUCHSTONE_NEW_PIN does the same.")
        var newPINFile: String?

        func read() throws -> String {
            let remedy = "--new-pin-file or $TOUCHSTONE_NEW_PIN can hold it"
            let given = try SecretInput.stored(file: newPINFile, variable: "TOUCHSTONE_NEW_PIN", what: "new PIN")
            if let given {
                guard !given.isEmpty else { throw CommandError("the new PIN is empty", .badInput) }
                return given
            }
            let pin = try SecretInput.ask("New PIN: ", what: "new PIN", remedy: remedy)
            guard try SecretInput.ask("Again: ", what: "new PIN", remedy: remedy) == pin else {
                throw CommandError("the two PINs differ; nothing was changed", .badInput)
            }
            return pin
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Set the first PIN of a key.",
            discussion: "It can be changed later, but only `keys reset` takes it away again.")

        @OptionGroup var options: KeyOptions
        @OptionGroup var new: NewPIN
        @Flag(help: "Do not ask.")
        var yes = false

        func run() async throws {
            try await options.withKey { key, person in
                switch try await key.info().option(.clientPin) {
                case false?: break
                case true?: throw CommandError("\(person.key) has a PIN already: `keys pin change`", .badInput)
                case nil: throw CommandError("\(person.key) can have no PIN", .badInput)
                }
                if !yes {
                    try person.confirm("\(person.key) gets a PIN, which only a reset takes away again.", word: "yes")
                }
                try await key.setPIN(try new.read())
            }
            Terminal.writeError("The PIN is set.")
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change", abstract: "Change the PIN of a key.")

        @OptionGroup var options: KeyOptions
        @OptionGroup var pin: PINOptions
        @OptionGroup var new: NewPIN
        @Flag(help: "Do not ask.")
        var yes = false

        func run() async throws {
            try await options.withKey { key, person in
                guard let current = try await pin.pin(of: key, saying: key.info(), person) else {
                    throw CommandError("\(person.key) has no PIN to change", .badInput)
                }
                let new = try new.read()
                if !yes { try person.confirm("\(person.key) gets another PIN.", word: "yes") }
                try await key.changePIN(from: current, to: new)
            }
            Terminal.writeError("The PIN is changed.")
        }
    }
}
