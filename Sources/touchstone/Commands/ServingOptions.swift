public import ArgumentParser
import DeviceHost
import DeviceStore
public import Devices
import Transports

/// How a device that runs in this terminal is served.
struct ServingOptions: ParsableArguments {
    @Option(help: "The address to listen on. Nothing authenticates a client: think before leaving loopback.")
    var address = "127.0.0.1"

    @Option(help: "What the person does when not told: auto agrees at once, ask waits.")
    var person: ControlledPerson.Habit = .auto

    @Flag(help: "Print every event as a line of JSON instead of words.")
    var json = false

    @Option(help: "Make the device's keys, IDs and signatures follow from this number, so that a run can be repeated.")
    var seed: UInt64?

    @OptionGroup var tracing: TraceOptions

    static func validate(udp: Int, name: String?) throws {
        guard (0...65535).contains(udp) else { throw ValidationError("--udp must be 0 to 65535.") }
        if let name, !name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }) {
            throw ValidationError("A device's name may hold letters, digits, '-', '_' and '.' only.")
        }
    }

    /// Serves a device until interrupted, and switches it off in order.
    func serve(_ profile: DeviceProfile, name: String, udp: Int, store: DeviceStore?) async throws {
        var configuration = UDPEndpoint.Configuration()
        configuration.port = udp
        configuration.address = address
        // A device that came back and drew the same numbers again would give its new credentials the old ones' IDs.
        if seed != nil, store != nil { throw ValidationError("--seed is for devices without --state.") }
        let printer = EventPrinter(json: json)
        let host = try await DeviceHost.start(
            profile, name: name, habit: person, udp: configuration, seed: seed, trace: try tracing.recorder(),
            onEvent: printer.print, store: store)
        Terminal.writeError(
            "\(profile.title), listening on udp:\(address):\(host.port) as \(host.name); Ctrl-C ends it")
        await Interruption.whileUninterrupted { await host.run() }
        try await host.close()
    }
}

extension ControlledPerson.Habit: ExpressibleByArgument {}
