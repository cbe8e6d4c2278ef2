import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Interop {
    /// The relying party in another process, with trouble.
    @Suite struct ServerTroubleTests {
        /// The error for a server that does not say where it listens.
        struct Unexpected: Error { let lines: [String] }

        private static let token = "0123456789abcdef"

        /// Runs the relying party with the control API while `use` runs; `use` gets the addresses of both.
        private func withServer(_ options: [String], _ use: (URL, URL) async throws -> Void) async throws {
            let directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: directory) }
            let server = try Touchstone(runtimeDirectory: directory).start(
                ["serve", "--port", "0", "--control"] + options, environment: ["TOUCHSTONE_TOKEN": Self.token])
            // No process is left running after a failure.
            defer { server.terminate() }
            var lines: [String] = []
            for await line in server.errors {
                lines.append(line)
                if line.hasPrefix("control API") { break }
            }
            guard let site = address(in: lines, after: "listening on"),
                let control = address(in: lines, after: "control API")
            else { throw Unexpected(lines: lines) }
            try await use(site, control)
        }

        private func address(in lines: [String], after start: String) -> URL? {
            lines.first { $0.hasPrefix(start) }?.firstMatch(of: /http:\/\/[a-z0-9.]+:\d+/)
                .flatMap { URL(string: String($0.output)) }
        }

        private func status(of url: URL, _ method: String = "GET", _ body: String? = nil) async throws -> Int? {
            var request = URLRequest(url: url)
            request.httpMethod = method
            request.httpBody = body.map { Data($0.utf8) }
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.setValue("Bearer \(Self.token)", forHTTPHeaderField: "Authorization")
            return (try await URLSession.shared.answer(to: request).1 as? HTTPURLResponse)?.statusCode
        }

        @Test func theServerFailsAsItsOptionsAndTheControlAPISay() async throws {
            let options = ["--failing-requests", "1", "--failing-status", "502"]
            try await withServer(options) { (site, control) async throws in
                let page = site.appending(path: "healthz")
                #expect(try await status(of: page) == 502)
                #expect(try await status(of: page) == 200)
                let server = control.appending(path: "v1/server")
                #expect(try await status(of: server, "PATCH", #"{"failingRequests": 1, "failingStatus": 429}"#) == 200)
                #expect(try await status(of: page) == 429)
                #expect(try await status(of: page) == 200)
            }
        }

        @Test(arguments: [
            ["--latency", "soon"], ["--failing-status", "200"], ["--failing-requests", "1001"],
        ])
        func wrongOptionsAreRefused(options: [String]) async throws {
            let directory = FileManager.default.temporaryDirectory
            let output = try await Touchstone(runtimeDirectory: directory).run(["serve", "--port", "0"] + options)
            #expect(output.status == 2)
        }
    }
}
