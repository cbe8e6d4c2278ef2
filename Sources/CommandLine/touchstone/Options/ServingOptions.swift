import ArgumentParser
import BiometricStatistics
import ControlAPI
import DeviceHost
import DeviceProfiles
import DeviceStore
import Machine
import MachineNeeds
import SimulatedDevice
import Trace
import Transports

/// The connections and the user of a device that runs in this terminal.
struct ServingOptions: ParsableArguments {
    /// The port that existing clients of UDP simulators expect.
    static let usualPort = UsualPort.device.number

    @Option(
        help: """
            The UDP port; 0 takes a free one. Default without --usb and --nfc: 8111; for a clone, a free port.
            """)
    var udp: Int?

    @Flag(help: "Connect the device as a USB security key (Linux, /dev/uhid).")
    var usb = false

    @Flag(help: "Place the device on pcscd's virtual NFC reader (vsmartcard-vpcd).")
    var nfc = false

    @Option(help: "The TCP port of the virtual reader; default: \(VPCDEndpoint.Configuration().port).")
    var nfcPort: Int?

    @Option(
        help: """
            The address for UDP; default: 127.0.0.1. Clients are not authenticated; use a loopback address if possible.
            """)
    var address: String?

    @Option(
        help: """
            The user: auto agrees at once, ask waits for `touchstone device present`, genuine and impostor present \
            samples at the error rates.
            """)
    var person: UserModel = .auto

    @OptionGroup(title: "Error rates") var recognition: RecognitionOptions

    @Flag(help: "Print every event as a line of JSON.")
    var json = false

    @Option(help: "Random seed; the same seed gives the same keys, IDs and signatures.")
    var seed: UInt64?

    @OptionGroup var tracing: TraceOptions

    func validate(name: String?) throws {
        guard (1...65535).contains(nfcPort ?? 1) else { throw ValidationError("--nfc-port must be 1 to 65535.") }
        try OptionRule.need("--nfc", nfc, for: ["--nfc-port": nfcPort != nil])
        try OptionRule.need("--udp", servesUDP, for: ["--address": address != nil])
        guard (0...65535).contains(udp ?? 0) else { throw ValidationError("--udp must be 0 to 65535.") }
        if let name {
            do { try DeviceName.check(name) } catch { throw ValidationError("\(error).") }
        }
        try OptionRule.need("--person impostor", person == .impostor, for: recognition.ofImpostors)
        try OptionRule.need("--person genuine", person == .genuine, for: recognition.ofGenuineUsers)
        try OptionRule.need("--person genuine or --person impostor", person.hasRates, for: recognition.ofAll)
    }

    /// Serves devices of a kind until interrupted, each with its own state, port and control socket.
    ///
    /// - Parameters:
    ///   - count: How many; the names of several end in their numbers, and their UDP ports follow the given one.
    ///   - meanwhile: is called with each started device.
    func serve(
        _ profile: DeviceProfile, name: String, count: Int = 1, usualPort: Int = usualPort, store: DeviceStore?,
        meanwhile: @escaping @Sendable (DeviceHost) async -> Void = { _ in }
    ) async throws {
        // A restarted device would draw the same numbers again, and give new credentials the IDs of old ones.
        if seed != nil, store != nil { try OptionRule.exclude("--state", true, from: ["--seed": true]) }
        Interruption.listen()
        if seed != nil { Terminal.warnOfSeed() }
        let trace = try tracing.recorder()
        var started: [DeviceHost] = []
        for number in 1...count {
            started.append(
                try await start(
                    profile, name: count == 1 ? name : "\(name)-\(number)",
                    connections: connections(number: number, usualPort: usualPort),
                    seed: seed.map { count == 1 ? $0 : $0 &+ UInt64(number) }, trace: trace, store: store))
        }
        let hosts = started
        await Interruption.whileUninterrupted {
            await withDiscardingTaskGroup { group in
                for host in hosts {
                    group.addTask { await host.run() }
                    group.addTask { await meanwhile(host) }
                }
            }
        }
        for host in hosts { try await host.close() }
    }

    /// The last UDP port of `count` devices.
    func lastPort(of count: Int, usualPort: Int = usualPort) -> Int {
        let first = udp ?? (isElsewhere ? 0 : usualPort)
        return first == 0 ? 0 : first + count - 1
    }

    private func connections(number: Int, usualPort: Int) -> DeviceConnections {
        var connections = DeviceConnections(usb: usb)
        if servesUDP {
            var configuration = UDPEndpoint.Configuration()
            configuration.port = lastPort(of: number, usualPort: usualPort)
            configuration.address = address ?? configuration.address
            connections.udp = configuration
        }
        if nfc {
            var reader = VPCDEndpoint.Configuration()
            // vpcd has one port for each of its readers.
            reader.port = (nfcPort ?? reader.port) + number - 1
            connections.nfc = reader
        }
        return connections
    }

    /// Whether programs reach the device by another transport than UDP.
    private var isElsewhere: Bool { usb || nfc }

    private var servesUDP: Bool { udp != nil || !isElsewhere }

    private func start(
        _ profile: DeviceProfile, name: String, connections: DeviceConnections, seed: UInt64?, trace: TraceRecorder?,
        store: DeviceStore?
    ) async throws -> DeviceHost {
        guard !person.hasRates || profile.sensor != nil else {
            throw CommandError("\(profile.name) has no sensor for --person \(person.rawValue)", .badInput)
        }
        let lines = EventLines(EventPrinter(json: json, vocabulary: profile.platformErrors))
        let nature = try nature(seed: seed)
        let host: DeviceHost
        do {
            host = try await DeviceHost.start(
                profile, name: name, habit: person.habit, nature: nature, connections: connections,
                seed: seed, trace: trace,
                onEvent: lines.add, store: store)
        } catch {
            guard case .portUnavailable(let detail) = error else { throw error }
            throw SystemProblem.portProblem(detail, port: connections.udp?.port, option: "--udp")
        }
        var places: [String] = []
        if let port = host.port { places.append("listening on udp:\(connections.udp?.address ?? ""):\(port)") }
        if usb { places.append("on USB" + (await host.usbNode().map { " (\($0))" } ?? "")) }
        if nfc { places.append("on the NFC reader") }
        Terminal.writeError("\(profile.title), \(places.joined(separator: " and ")) as \(host.name); Ctrl-C ends it")
        return host
    }
}

extension ServingOptions {
    enum UserModel: String, ExpressibleByArgument, CaseIterable {
        case auto, ask, genuine, impostor

        var hasRates: Bool { self == .genuine || self == .impostor }

        var habit: ControlledUser.Habit { self == .ask ? .ask : .auto }
    }

    /// The plan of the user's samples; nil for a user who always matches.
    private func nature(seed: UInt64?) throws -> StatisticalUser.Plan? {
        guard let subject = SampleSource.Subject(rawValue: person.rawValue) else { return nil }
        return StatisticalUser.Plan(try recognition.model(), subject: subject, seed: seed ?? .random(in: .min ... .max))
    }
}
