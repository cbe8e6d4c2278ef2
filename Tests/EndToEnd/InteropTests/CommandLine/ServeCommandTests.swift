import Foundation
import TestSupport
import Testing

extension Interop {
    /// `touchstone serve` with settings that cannot work.
    @Suite struct ServeCommandTests {
        private let touchstone = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)

        @Test(
            "Origins with which no ceremony can pass are refused at the start",
            arguments: [
                (["--relying-party-id", "example.org"], "add --origin https://example.org"),
                (["--origin", "example.org"], "is not an origin"),
                (
                    ["--origin", "https://example.com", "--relying-party-id", "example.org"],
                    "no origin belongs to the relying party ID example.org"
                ),
                (["--cross-origin", "--top-origin", "https://example.com/page"], "is not an origin"),
            ])
        func originsAreChecked(options: [String], says: String) async throws {
            let output = try await touchstone.run(["serve", "--port", "0"] + options)
            #expect(output.status == 2)
            #expect(output.standardError.replacing("\n", with: " ").contains(says), "\(output.standardError)")
        }

        @Test(
            "A port in use is told with the option for another one",
            arguments: [["serve"], ["control"], ["webdriver", "--upstream", "http://localhost:9515"]])
        func aPortInUseNamesTheOption(command: [String]) async throws {
            let server = try touchstone.start(["serve", "--port", "0"])
            defer { server.terminate() }
            var port: String?
            for await line in server.errors {
                port = line.firstMatch(of: /listening on http:\/\/localhost:(\d+)/).map { String($0.output.1) }
                if port != nil { break }
            }
            let output = try await touchstone.run(command + ["--port", try #require(port)])
            #expect(output.status == 3)
            let says = output.standardError.replacing("\n", with: " ")
            #expect(says.contains("choose another port with --port, or a free one with --port 0"), "\(says)")
        }

        @Test(arguments: [
            ([], "pages for any browser: http://localhost:"),
            (
                ["--origin", "https://example.org", "--relying-party-id", "example.org"],
                "pages for any browser: https://example.org/sign-in; a proxy of yours has to lead from there to http://localhost:"
            ),
        ])
        func thePagesAreAtAnOriginThatIsAccepted(options: [String], words: String) async throws {
            let server = try touchstone.start(["serve", "--port", "0"] + options)
            defer { server.terminate() }
            var seen = ""
            for await line in server.errors where line.hasPrefix("pages for any browser") {
                seen = line
                break
            }
            #expect(seen.hasPrefix(words), "\(seen)")
        }

        @Test func aBuildForDebuggingSaysThatItHashesAtLittleCost() async throws {
            let server = try touchstone.start(["serve", "--port", "0"])
            defer { server.terminate() }
            var errors: [String] = []
            for await line in server.errors {
                errors.append(line)
                if line.hasPrefix("pages for any browser") { break }
            }
            #if DEBUG
            #expect(errors.contains { $0.contains("hashes passwords at little cost") }, "\(errors)")
            #else
            #expect(!errors.contains { $0.contains("hashes passwords at little cost") }, "\(errors)")
            #endif
        }

        @Test func aFileThatIsNoDatabaseIsNamed() async throws {
            let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite")
            try Data("this file holds text, not a database\n".utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let output = try await touchstone.run("serve", "--port", "0", "--database", file.path)
            #expect(output.status == 2)
            #expect(output.standardError.contains(file.path))
        }
    }
}
