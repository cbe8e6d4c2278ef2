import ArgumentParser
import AuthenticatorSuite
import CTAP
import KeyBench
internal import MachineTime
import SecurityKeys
import SimulatedDevice
import Trace
import Wording

/// `touchstone keys compare`.
struct KeysCompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Send two or more devices the same requests and show the differences.",
        discussion: """
            Devices are named as for --device: \(DeviceSelector.spellings). Compare two keys, two firmware versions, \
            or a virtual key and its model. The requests are the safe cases of `touchstone conformance authenticator`.

            The devices stay unchanged: no PIN is tried or set, nothing is written, reset or configured, and no \
            discoverable credential is made. State, such as the retries left, and times are shown and do not \
            count as differences; neither do answers that depend on a state in which the devices differ. A virtual \
            device first takes over the state of the other device: whether a PIN is set, alwaysUv, minPINLength. Exit \
            status 1 if anything else differs.
            """)

    @Argument(help: ArgumentHelp("The devices, two or more.", valueName: "device"))
    var selectors: [String]

    @Flag(help: "Compare a registration and a signature, too, which need a touch.")
    var touch = false

    @Flag(help: "Require the same bytes, as from simulated devices with one --seed.")
    var exact = false

    @Option(help: "Random seed of virtual:PROFILE devices.")
    var seed: UInt64?

    @Flag(help: "Show the rows without a difference, too.")
    var all = false

    @OptionGroup var output: OutputOptions

    @OptionGroup var tracing: TraceOptions

    private typealias Named = (device: String, answers: DeviceAnswers)

    func validate() throws {
        guard selectors.count >= 2 else { throw ValidationError("A comparison needs two devices or more.") }
        let isVirtual = selectors.contains { if case .virtual? = DeviceSelector($0) { true } else { false } }
        try OptionRule.need("a virtual:PROFILE device", isVirtual, for: ["--seed": seed != nil])
    }

    func run() async throws {
        // All devices are found before the first request.
        var devices: [BenchDevice] = []
        for selector in selectors { devices.append(try await KeyOptions.onlyDevice(selector, seed: seed)) }
        // Equal bytes need equal random numbers, which a change of state would use up.
        if !exact { try await Self.alignStates(of: devices) }
        let recorder = try tracing.recorder()
        let answers = try await Interruption.cancelling { [touch, devices] in
            var answers: [Named] = []
            for device in devices {
                let name = device.selector.description
                let trace = recorder?.device(name, title: device.title, now: SystemTime().now)
                answers.append((name, try await Self.ask(device, touching: touch, trace: trace)))
            }
            return answers
        }
        let comparison = DeviceComparison(answers)
        try output.write(comparison) { ComparisonDescription(comparison, showsAll: all).lines }
        if exact { try Self.requireSameBytes(answers) }
        guard comparison.differenceCount == 0 else {
            throw CommandError("they differ in \(Wording.counted(comparison.differenceCount, "row"))", .checkFailed)
        }
    }

    /// Puts virtual devices into the state of the first other device.
    private static func alignStates(of devices: [BenchDevice]) async throws {
        let virtual = devices.filter(\.isSimulated)
        guard !virtual.isEmpty, let model = devices.first(where: { !$0.isSimulated }) else { return }
        try await Interruption.cancelling {
            // A device that does not answer fails in the comparison.
            guard let info = try? await model.withKey(by: .direct, { key in try await key.info() }) else { return }
            for device in virtual {
                let adopted = try await device.adopt(stateOf: info)
                guard !adopted.isEmpty else { continue }
                Terminal.writeError(
                    "\(device.selector) takes over the state of \(model.selector): \(adopted.joined(separator: ", ")).")
            }
        }
    }

    /// - Throws: `CommandError` that names the first case with an answer of other bytes.
    private static func requireSameBytes(_ answers: [Named]) throws {
        guard let first = answers.first else { return }
        for other in answers.dropFirst() {
            let found = other.answers.transcript
            for (id, bytes) in first.answers.transcript.sorted(by: { $0.key < $1.key }) where found[id] != bytes {
                throw CommandError(
                    "\(first.device) and \(other.device) answered \(id) with different bytes:\n  \(bytes)\n  \(found[id] ?? "none")",
                    .checkFailed)
            }
        }
        Terminal.writeError(
            "All answered the same bytes to \(Wording.counted(first.answers.messages.count, "request")).")
    }

    private static func ask(_ device: BenchDevice, touching: Bool, trace: DeviceTrace?) async throws -> DeviceAnswers {
        let name = "\(device.title) (\(device.selector))"
        let person = KeyUser(key: name)
        person.expects("Touch \(name)")
        Terminal.writeError("Asking \(name) …")
        defer { person.isDone() }
        let start = ContinuousClock.now
        do {
            return try await device.withDevice(trace: trace) { ctap in
                try await DeviceAnswers.collect(
                    from: ctap, touching: touching, now: { ContinuousClock.now - start }, onKeepalive: person.keepalive)
            }
        } catch  where Task.isCancelled {
            throw SecurityKeyError.refused(.keepaliveCancel)
        } catch let failure as DeviceAnswers.Failure {
            throw KeyBenchError.notFound("\(name) failed: \(failure)")
        } catch let error as CTAPDeviceError {
            throw KeyBenchError.notFound("\(name) cannot be reached: \(error)")
        }
    }
}
