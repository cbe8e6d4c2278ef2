import ArgumentParser

/// `touchstone device fault`.
struct FaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault",
        abstract: "Arm a fault of a running device, or clear the armed ones.",
        discussion:
            "`touchstone faults list` lists the faults. A fault of the CTAP layer may apply to one command: "
            + "\"status:KEY_STORE_FULL on MakeCredential\".")

    @Argument(
        help: "A fault's name, or the word none to clear the armed faults; those of the profile stay.",
        completion: .faults)
    var fault: String

    @Option(help: "Number of answers the fault changes; default: all.")
    var times: Int?

    @OptionGroup var target: DeviceCommand.Target

    func validate() throws {
        guard times.map({ $0 > 0 }) ?? true else { throw ValidationError("--times must be 1 or more.") }
        try OptionRule.exclude("none, which ends every fault", fault == "none", from: ["--times": times != nil])
    }

    func run() async throws {
        guard fault != "none" else { return try await target.perform("no-faults", canBeIdle: true) }
        var arguments = ["name": fault]
        arguments["times"] = times.map(String.init)
        try await target.perform("fault", arguments)
    }
}
