import ArgumentParser
import DeviceHost
import Faults

/// `touchstone device fault`: makes a running device go wrong.
struct FaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault",
        abstract: "Make a running device do something wrong from now on, or stop doing so.",
        discussion:
            "`touchstone faults list` names the faults. A fault of the CTAP layer may be meant for one command: "
            + "\"status:KEY_STORE_FULL on MakeCredential\".")

    @Argument(help: "A fault's name, or none to make everything right again.")
    var fault: String

    @Option(help: "How many answers it changes; without it, all.")
    var times: Int?

    @OptionGroup var target: DeviceCommand.Target

    func validate() throws {
        guard times.map({ $0 > 0 }) ?? true else { throw ValidationError("--times must be 1 or more.") }
    }

    func run() async throws {
        guard fault != "none" else { return try await target.send(ControlRequest(act: "no-faults")) }
        do {
            _ = try Fault(parsing: fault)
        } catch {
            throw CommandError(error.description, .badInput)
        }
        var arguments = ["name": fault]
        arguments["times"] = times.map(String.init)
        try await target.send(ControlRequest(act: "fault", arguments))
    }
}
