import Foundation
import TestSupport
import Testing

/// Files, bytes, names and requests of strangers against the programs of this build.
///
/// The suites run one after the other: they start separate programs with real deadlines.
@Suite(.serialized, .timeLimit(.minutes(30)))
enum Hostile {
    static let token = "hostile-input-tests"

    /// Runs a test with the program and an empty folder of its own.
    static func run(_ test: (Touchstone, URL) async throws -> Void) async throws {
        let folder = try TemporaryFolder("hostile")
        try await test(Touchstone(beside: .module, runtimeDirectory: folder.url.appending(path: "run")), folder.url)
    }

    /// A file of the tests' resources.
    static func text(of file: String) throws -> String {
        try String(contentsOf: Bundle.module.bundleURL.appending(path: "Files/\(file)"), encoding: .utf8)
    }

    /// Starts a server, and waits for the port in its first line.
    static func server(
        _ touchstone: Touchstone, _ arguments: [String], environment: [String: String] = [:], limit: String? = nil
    ) async throws -> (program: Touchstone.Program, port: Int) {
        let environment = ["TOUCHSTONE_TOKEN": token].merging(environment) { $1 }
        let program = try touchstone.start(arguments + ["--port", "0"], environment: environment, limit: limit)
        for await line in program.errors {
            if let port = line.firstMatch(of: /http:\/\/[a-z0-9.]+:(\d+)/).flatMap({ Int($0.output.1) }) {
                return (program, port)
            }
            if !line.hasPrefix("--seed") { Issue.record("\(line)") }
        }
        throw Wire.NoAnswer()
    }
}
