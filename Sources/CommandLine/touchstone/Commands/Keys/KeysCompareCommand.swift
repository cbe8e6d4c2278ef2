import ArgumentParser
import CTAP
import Foundation
import KeyBench
import SimulatedDevice
import Trace

/// `touchstone keys compare`.
struct KeysCompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Ask two or more devices the same and tell where they differ.",
        discussion: """
            Devices are named as for --device: \(DeviceSelector.spellings). Two keys, two firmwares, or a virtual key \
            and the one it stands for.

            Nothing is changed on any of them: no PIN is tried or set, nothing is written, reset or configured, and no \
            discoverable credential is made. What depends on the single device, such as retries left, is state; it is \
            shown and does not count. Exit status 1 when anything else but the timings differs.
            """)

    @Argument(help: ArgumentHelp("The devices, two or more.", valueName: "device"))
    var selectors: [String]

    @Flag(help: "Also ask for what a person must touch the device for: a registration and a signature by it.")
    var touch = false

    @Flag(help: "Demand the same bytes, as simulated devices with one --seed have over whatever transport.")
    var exact = false

    @Option(help: "The seed of virtual:PROFILE devices.")
    var seed: UInt64?

    @Flag(help: "Show what is the same, too.")
    var all = false

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var tracing: TraceOptions

    func validate() throws {
        guard selectors.count >= 2 else { throw ValidationError("A comparison needs two devices or more.") }
    }

    func run() async throws {
        // All of them are looked for before the first is asked anything.
        var devices: [BenchDevice] = []
        for selector in selectors { devices.append(try await KeyOptions.onlyDevice(selector, seed: seed)) }
        let recorder = try tracing.recorder()
        let answers = try await Interruption.cancelling { [touch, devices] in
            var answers: [(device: String, answers: DeviceAnswers)] = []
            for device in devices {
                let name = device.selector.description
                let trace = recorder?.device(name, title: device.title, now: SystemTime().now)
                answers.append((name, try await Self.ask(device, touching: touch, trace: trace)))
            }
            return answers
        }
        let comparison = DeviceComparison(answers)
        if json {
            try Terminal.writeJSON(comparison)
        } else {
            ComparisonDescription(comparison, showsAll: all).lines.forEach { Terminal.write($0) }
        }
        if exact { try Self.demandSameBytes(answers) }
        guard comparison.differenceCount == 0 else {
            let count = comparison.differenceCount
            throw CommandError("they differ in \(count) row\(count == 1 ? "" : "s")", .checkFailed)
        }
    }

    /// - Throws: `CommandError` that names the first request to which somebody answered other bytes than the first.
    private static func demandSameBytes(_ answers: [(device: String, answers: DeviceAnswers)]) throws {
        guard let first = answers.first else { return }
        for other in answers.dropFirst() {
            let pairs = zip(first.answers.transcript, other.answers.transcript)
            guard let (expected, found) = pairs.first(where: { $0 != $1 }) else { continue }
            throw CommandError(
                "\(other.device) answered other bytes than \(first.device):\n  \(expected)\n  \(found)", .checkFailed)
        }
        Terminal.writeError("All answered the same bytes to \(first.answers.transcript.count) requests.")
    }

    private static func ask(_ device: BenchDevice, touching: Bool, trace: DeviceTrace?) async throws -> DeviceAnswers {
        let name = "\(device.title) (\(device.selector))"
        let person = KeyPerson(key: name)
        person.expects("Touch \(name)")
        let start = ContinuousClock.now
        let runner = ProbeRunner(
            touching: touching, now: { ContinuousClock.now - start }, onKeepalive: person.keepalive)
        Terminal.writeError("Asking \(name) …")
        defer { person.isDone() }
        return try await device.answers(of: runner, trace: trace)
    }
}
