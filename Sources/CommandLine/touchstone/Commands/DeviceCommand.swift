import ArgumentParser
import Biometrics
import DeviceActs
import DeviceHost
import DeviceProfiles
import Foundation
import Machine
import SimulatedDevice
import Tables
import Wording

/// `touchstone device`.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Start simulated devices for other programs, and control them.",
        subcommands: [
            Start.self, Present.self, Scan.self, PowerCycle.self, Unplug.self, PlugIn.self, Tap.self, Remove.self,
            Status.self,
            Enrol.self, Unenrol.self, Unlock.self, SetClockBack.self, DeviceDoCommand.self,
            Sensor.self, FaultCommand.self, Snapshot.self, Restore.self, Clone.self, Inspect.self,
            ExportPasskeys.self, ImportPasskeys.self,
        ])

    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "start", abstract: "Start a device and serve it until interrupted.",
            discussion: """
                The device answers CTAPHID over UDP, one 64-byte report in each datagram, as simulators of security \
                keys do. With --usb it is a USB security key for libfido2's tools, OpenSSH and browsers; add --udp \
                for both. With --nfc it is on the virtual reader of pcscd (vsmartcard-vpcd) for PC/SC programs.

                The user touches and verifies at once; with --person ask the device waits for `touchstone device \
                present` from another terminal. With --state its credentials, PIN, counters and lockouts stay in a \
                file.
                """)

        @OptionGroup var profile: ProfileArgument

        @Option(help: "The device's name for other commands; default: the profile's name.")
        var name: String?

        @Option(help: "Number of devices to start, as NAME-1, NAME-2, … on successive ports.")
        var count = 1

        @OptionGroup var serving: ServingOptions

        @OptionGroup var state: StateOptions

        @OptionGroup(title: "QR codes") var scanning: ScanOptions

        func validate() throws {
            try serving.validate(name: name)
            try scanning.validate()
            try OptionRule.exclude(
                "--count", count > 1, from: ["--scan": !scanning.codes.isEmpty, "--scan-screen": scanning.screen])
            guard (1...1000).contains(count), serving.lastPort(of: count) <= 65535 else {
                throw ValidationError("--count must be 1 to 1000, and leave the last port below 65536.")
            }
            guard count == 1 || state.state == nil else {
                throw ValidationError("--state keeps one device, not \(count); remove --state or --count.")
            }
        }

        func run() async throws {
            let profile = try profile.read()
            try await serving.serve(
                profile, name: name ?? DeviceName.suggested(for: profile.name), count: count,
                store: try state.store(of: profile), meanwhile: scanning.scan)
        }
    }

    struct Target: ParsableArguments {
        @Option(help: "The device's name; needed only when several run.", completion: .devices)
        var name: String?

        @Flag(help: "Print the device's state as JSON; after a refused act, with its cause.")
        var json = false

        /// - Parameter canBeIdle: whether an act without effect shows the state, because it asks for a state of the device.
        func send(_ request: DeviceRequest, canBeIdle: Bool = false) async throws {
            do {
                try write(try await DeviceSocketClient().send(request, to: name))
            } catch DeviceHostError.idle where canBeIdle {
                try await send(.status)
            } catch {
                if json { try await writeRefusal(error) }
                throw error
            }
        }

        func perform(_ verb: String, _ arguments: [String: String] = [:], canBeIdle: Bool = false) async throws {
            try await send(.act(try DeviceAct(verb: verb, arguments: arguments)), canBeIdle: canBeIdle)
        }

        private func write(_ answer: DeviceAnswer) throws {
            if json {
                try Terminal.writeJSON(answer)
            } else {
                Terminal.write(StatusDescription.lines(answer))
            }
        }

        private func writeRefusal(_ error: any Error) async throws {
            guard let error = error as? DeviceHostError else { return }
            switch error {
            case .refused(let reason), .idle(let reason):
                var answer = try await DeviceSocketClient().send(.status, to: name)
                answer.refusal = reason
                try Terminal.writeJSON(answer)
            default: return
            }
        }
    }

    struct Present: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "present", abstract: "Queue acts of the user for the open prompt or the next prompts.",
            discussion: HelpTable.text(acts))

        private static var acts: TextTable {
            var table = TextTable()
            for act in UserAct.vocabulary { table.add("  " + act.word, act.meaning) }
            table.add("  choose:N", "chooses the Nth account on the device's screen")
            table.add(
                "  match:face, no-match:fingerprint, …", "the same at one sensor, if a prompt uses several sensors")
            return table
        }

        @Argument(help: "The acts, in order.", completion: .userActs)
        var acts: [String] = []

        @Flag(help: "Delete the queued acts.")
        var clear = false

        @OptionGroup var target: Target

        func validate() throws {
            guard clear || !acts.isEmpty else { throw ValidationError("Give acts, --clear, or both.") }
        }

        func run() async throws {
            guard let all = UserAct.acts(phrases: acts) else {
                let words = UserAct.vocabulary.map(\.word)
                let unknown = acts.first { UserAct(word: $0) == nil && !words.contains($0) } ?? ""
                throw CommandError(
                    "\"\(acts.joined(separator: " "))\": expected acts, each a word or \"word x 5\""
                        + NearestNames.question(unknown, among: words, orElse: "words are \(UserAct.words)"),
                    .badInput)
            }
            try await target.send(.present(all, replacing: clear))
        }
    }

    struct PowerCycle: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "power-cycle",
            abstract: "Unplug a device and plug it in again.",
            discussion: "Ends the block after three wrong PINs, and starts the ten seconds for a reset.")
        @OptionGroup var target: Target
        func run() async throws { try await target.perform("power-cycle") }
    }

    struct Unplug: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unplug", abstract: "Unplug a USB device until plug-in.")
        @OptionGroup var target: Target
        func run() async throws { try await target.send(.unplug) }
    }

    struct PlugIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "plug-in", abstract: "Plug a USB device in again.")
        @OptionGroup var target: Target
        func run() async throws { try await target.send(.plugIn) }
    }

    struct Tap: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tap", abstract: "Place a device on its NFC reader, or lift it and place it again.")
        @OptionGroup var target: Target
        func run() async throws { try await target.send(.placeOnReader) }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Take a device off its NFC reader, at once or during a command.")
        @Option(help: "Take the device off during the Nth command from now; that command gets no answer.")
        var duringCommand: Int?
        @OptionGroup var target: Target
        func validate() throws {
            guard duringCommand.map({ $0 > 0 }) ?? true else {
                throw ValidationError("--during-command must be 1 or more.")
            }
        }
        func run() async throws { try await target.send(.remove(duringCommand: duringCommand)) }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Show a device's current state.")

        @Option(
            help: ArgumentHelp(
                "Wait up to this span for the device to answer, such as 30s; default: no wait.", valueName: "span"),
            transform: SpanArgument.read)
        var wait: SpanArgument?

        @Option(
            help: ArgumentHelp(
                "The process that serves the device, such as $! after a start in the background: fail as soon as it ends.",
                valueName: "id"))
        var process: Int32?

        @OptionGroup var target: Target

        /// The time between two attempts.
        private static let pause = Duration.milliseconds(100)

        func validate() throws {
            guard wait.map({ $0.duration > .zero }) ?? true else {
                throw ValidationError("--wait must be more than zero; leave it out for no wait.")
            }
            guard process.map({ $0 > 0 }) ?? true else {
                throw ValidationError("--process must be the ID of a process, 1 or more.")
            }
        }

        func run() async throws {
            let end = ContinuousClock.now + (wait?.duration ?? .zero)
            while true {
                do {
                    // The process is checked before the request: one that ends later can still have answered.
                    let hasEnded = process.map { !RunningProcess.exists($0) } ?? false
                    if let process { try await requireServing(process, hasEnded: hasEnded) }
                    return try await target.send(.status)
                } catch DeviceHostError.notRunning(let reason) {
                    guard ContinuousClock.now + Self.pause < end else { throw DeviceHostError.notRunning(reason) }
                }
                try await Task.sleep(for: Self.pause)
            }
        }

        /// Requires that a process serves the device.
        ///
        /// - Throws: `DeviceHostError.notRunning` while another process does, or none; `CommandError` once the process has
        ///   ended, after which no wait helps.
        private func requireServing(_ process: Int32, hasEnded: Bool) async throws {
            let problem: String
            do {
                let status = try await DeviceSocketClient().send(.status, to: target.name).status
                guard status.processID != process else { return }
                problem = "the device \(status.name) belongs to process \(status.processID), not to process \(process)"
            } catch DeviceHostError.notRunning(let reason) {
                problem = reason
            }
            guard !hasEnded else {
                throw CommandError(
                    "process \(process) has ended; read its output for the reason: \(problem)", .notFound)
            }
            throw DeviceHostError.notRunning(problem)
        }
    }

    struct Enrol: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "enrol", abstract: "Enrol a finger or a face.")
        @Argument(help: "The template's name.")
        var template: String
        @OptionGroup var target: Target
        func run() async throws { try await target.perform("enrol", ["template": template]) }
    }

    struct Unenrol: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unenrol", abstract: "Remove one enrolled finger or face, or all.")
        @Argument(help: "The template's name; default: all.")
        var template: String?
        @OptionGroup var target: Target
        func run() async throws { try await target.perform("unenrol", template.map { ["template": $0] } ?? [:]) }
    }

    struct Unlock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unlock",
            abstract: "Enter the passcode at the lock screen of a locked device; the right one clears lockouts.")
        @Flag(help: "Enter a wrong passcode.")
        var wrong = false
        @OptionGroup var target: Target
        func run() async throws { try await target.perform("unlock", ["passcode": wrong ? "wrong" : "correct"]) }
    }

    struct SetClockBack: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set-clock-back",
            abstract: "Set the clock of a phone or computer back, until the device is switched off.")
        @Argument(help: "The time, such as \"1 h\".", transform: SpanArgument.read)
        var span: SpanArgument
        @OptionGroup var target: Target
        func validate() throws {
            guard span.duration > .zero else { throw ValidationError("The time must be more than zero.") }
        }
        func run() async throws { try await target.send(.setClockBack(by: span.duration)) }
    }

    struct Sensor: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "sensor", abstract: "Change the sensor's state.")
        @Argument(help: "The sensor's new state\(DeviceAct.verb("sensor")?.parameters.first?.choices ?? "").")
        var availability: String
        @OptionGroup var target: Target
        func run() async throws { try await target.perform("sensor", ["state": availability]) }
    }
}
