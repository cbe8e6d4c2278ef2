import ArgumentParser
import ControlAPI
import Foundation
import MachineNeeds
import SimulatedDevice

/// `touchstone control`.
struct ControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "control",
        abstract: "Run the control API and the WebDriver commands until interrupted.",
        discussion: """
            Programs start simulated devices over HTTP on 127.0.0.1, instruct their users, run ceremonies and read \
            events; WebDriver clients such as Selenium add virtual authenticators. Every request carries the token, \
            which is printed unless it is given or written to a file. docs/control-api.md introduces the API, GET /openapi.json describes it in full.
            """)

    @Option(help: "The port; 0 takes a free one.")
    var port = UsualPort.control.number

    @OptionGroup var options: ControlOptions

    @Flag(name: .customLong("print-openapi"), help: "Print the OpenAPI document and exit.")
    var printsOpenAPI = false

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
        try OptionRule.exclude("--print-openapi", printsOpenAPI, from: options.ofRunningServer)
    }

    func run() async throws {
        guard !printsOpenAPI else {
            let document = try ControlServer.openAPIDocument(try options.configuration(token: AccessToken()))
            return Terminal.write(String(decoding: document, as: UTF8.self))
        }
        Interruption.listen()
        let server = try await options.start(port: port)
        await Interruption.untilInterrupted()
        await server.stop()
    }
}
