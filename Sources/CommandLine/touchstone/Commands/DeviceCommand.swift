import ArgumentParser
import Biometrics
import DeviceHost
import DeviceProfiles
import Foundation
import SimulatedDevice

/// `touchstone device`: simulated devices that run beside real programs.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Start a simulated device and tell it what to do.",
        subcommands: [
            Start.self, Present.self, PowerCycle.self, Unplug.self, PlugIn.self, Tap.self, Remove.self, Status.self,
            Enrol.self, Unenrol.self, Unlock.self, DeviceDoCommand.self,
            Sensor.self, FaultCommand.self, Snapshot.self, Restore.self, Clone.self, Inspect.self,
        ])

    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Start a device and serve it until interrupted.",
            discussion: """
                The device answers CTAPHID over UDP: one datagram is one 64-byte report, as simulators of security \
                keys do. With --usb the operating system sees it as a USB security key instead, or as well when --udp \
                is given, so that libfido2's tools, OpenSSH and browsers find it. With --nfc it lies on the virtual reader of \
                pcscd (vsmartcard-vpcd), where PC/SC programs find it. By default its person touches it and verifies at once; with --person ask it waits for \
                `touchstone device present` from another terminal. With --state it keeps its credentials, PIN, \
                counters and lockouts in a file, and comes back with them.
                """)

        @Argument(help: "A profile's name, or the path of a profile file.")
        var profile: String

        @Option(help: "The device's name for other commands; the profile's by default.")
        var name: String?

        @Option(help: "How many devices of the kind to start, as NAME-1, NAME-2, … on ports that follow each other.")
        var count = 1

        @OptionGroup var serving: ServingOptions

        @OptionGroup var state: StateOptions

        func validate() throws {
            try serving.validate(name: name)
            guard (1...1000).contains(count), serving.lastPort(of: count) <= 65535 else {
                throw ValidationError("--count must be 1 to 1000, and leave the last port below 65536.")
            }
        }

        func run() async throws {
            let profile = try ProfileLibrary.standard().profile(profile)
            let name = name ?? profile.name
            guard count == 1 else {
                guard state.state == nil else {
                    throw CommandError("--state keeps one device; it cannot be shared by \(count)", .badInput)
                }
                return try await serving.serveFleet(profile, name: name, count: count)
            }
            try await serving.serve(profile, name: name, store: try state.store(of: profile))
        }
    }

    /// What every command to a running device takes.
    struct Target: ParsableArguments {
        @Option(help: "The device's name; needed only when several run.")
        var name: String?

        @Flag(help: "Print the device's state afterwards as JSON, with the refusal of an act that came to nothing.")
        var json = false

        func send(_ request: ControlRequest) async throws {
            do {
                let status = try await ControlClient().send(request, to: name)
                if json {
                    try Terminal.writeJSON(status)
                } else {
                    StatusDescription.lines(status).forEach { Terminal.write($0) }
                }
            } catch {
                if json { try await writeRefusal(error) }
                throw error
            }
        }

        /// The state of a device after an act that it refused, with the cause.
        private func writeRefusal(_ error: any Error) async throws {
            guard let error = error as? DeviceHostError, case .cameToNothing(let cause) = error else { return }
            var status = try await ControlClient().send(ControlRequest(.status), to: name)
            status.refusal = cause
            try Terminal.writeJSON(status)
        }
    }

    struct Present: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tell the person at a device what to do, now or at the next prompt.",
            discussion: (PersonAct.vocabulary.map { ($0.word, $0.meaning) } + [
                ("choose:N", "takes the Nth account on the device's screen"),
                ("match:face, no-match:fingerprint, …", "the same at one sensor, where a prompt senses with several"),
            ]).map { word, meaning in
                "  " + word + String(repeating: " ", count: max(2, 33 - word.count)) + meaning
            }.joined(separator: "\n"))

        @Argument(help: "What to do; several acts are done one after the other.")
        var acts: [String]

        @OptionGroup var target: Target

        func run() async throws {
            // All words are checked before the first act is done.
            guard let all = PersonAct.acts(phrases: acts) else {
                throw CommandError(
                    "\"\(acts.joined(separator: " "))\": expected acts, each a word or \"word x 5\"; words are "
                        + PersonAct.words, .badInput)
            }
            try await requireSensors(of: all)
            for act in all.dropLast() {
                _ = try await ControlClient().send(ControlRequest(.present, argument: act.word), to: target.name)
            }
            try await target.send(ControlRequest(.present, argument: all.last?.word))
        }

        /// An act at a sensor that is not there would be waiting for a prompt that never comes.
        private func requireSensors(of acts: [PersonAct]) async throws {
            let named = acts.compactMap { if case .gate(let act) = $0 { act.modality } else { nil } }
            guard !named.isEmpty else { return }
            let status = try await ControlClient().send(ControlRequest(.status), to: target.name)
            guard let sensors = status.sensors?.map(\.modality) else { return }
            for modality in named where !sensors.contains(modality.rawValue) {
                throw CommandError(
                    "\(status.name) has no \(modality.rawValue) sensor; it has "
                        + (sensors.isEmpty ? "none" : sensors.joined(separator: ", ")), .badInput)
            }
        }
    }

    struct PowerCycle: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "power-cycle",
            abstract: "Pull a device and plug it in again.",
            discussion: "Clears PIN blocks that a power cycle clears and opens the reset window.")
        @OptionGroup var target: Target
        func run() async throws { try await target.send(ControlRequest(act: "power-cycle")) }
    }

    struct Unplug: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Pull a device that is on USB; it stays out until plug-in.")
        @OptionGroup var target: Target
        func run() async throws { try await target.send(ControlRequest(.unplug)) }
    }

    struct PlugIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "plug-in", abstract: "Plug a device on USB in again.")
        @OptionGroup var target: Target
        func run() async throws { try await target.send(ControlRequest(.plugIn)) }
    }

    struct Tap: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lay a device on its NFC reader, or lift it and lay it down again: a new tap.")
        @OptionGroup var target: Target
        func run() async throws {
            _ = try await ControlClient().send(ControlRequest(.remove), to: target.name)
            try await target.send(ControlRequest(.tap))
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a device off its NFC reader, at once or in the middle of a command.")
        @Option(help: "Leave in the middle of the Nth command that comes from now on, which gets no answer.")
        var duringCommand: Int?
        @OptionGroup var target: Target
        func validate() throws {
            guard duringCommand.map({ $0 > 0 }) ?? true else {
                throw ValidationError("--during-command must be 1 or more.")
            }
        }
        func run() async throws { try await target.send(ControlRequest(.remove, times: duringCommand)) }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show how a device is.")
        @OptionGroup var target: Target
        func run() async throws { try await target.send(ControlRequest(.status)) }
    }

    struct Enrol: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Enrol another finger or face.")
        @Argument(help: "What to call it.")
        var template: String
        @OptionGroup var target: Target
        func run() async throws { try await target.send(ControlRequest(act: "enrol", ["template": template])) }
    }

    struct Unenrol: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove an enrolled finger or face, or everybody.")
        @Argument(help: "What it is called; without it, everybody is removed.")
        var template: String?
        @OptionGroup var target: Target
        func run() async throws {
            try await target.send(ControlRequest(act: "unenrol", template.map { ["template": $0] } ?? [:]))
        }
    }

    struct Unlock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Enter the device's passcode at its lock screen, which clears lockouts.")
        @Flag(help: "Enter a wrong one.")
        var wrong = false
        @OptionGroup var target: Target
        func run() async throws {
            try await target.send(ControlRequest(act: "unlock", ["passcode": wrong ? "wrong" : "correct"]))
        }
    }

    struct Sensor: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Break, hide or repair the sensor: present, absent, busy, failed, disabledByPolicy.")
        @Argument(help: "What the sensor shall be.")
        var availability: String
        @OptionGroup var target: Target
        func run() async throws { try await target.send(ControlRequest(act: "sensor", ["state": availability])) }
    }
}
