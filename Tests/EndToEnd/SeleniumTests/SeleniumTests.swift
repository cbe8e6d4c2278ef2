import ControlAPI
import DeviceProfiles
import Foundation
import LoopbackHTTP
import ProfileFiles
import Providers
import RelyingPartyServer
import TestSupport
import Testing
import WebDriver

/// Selenium scripts with headless Chromium, through `touchstone webdriver`.
///
/// They run one after the other: browsers have real deadlines, which concurrent load would exceed.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct SeleniumTests {
    private static let scripts = Bundle.module.bundleURL.appending(path: "Scripts")

    @Test func anUnmodifiedScriptPassesWithChromiumsAuthenticator() async throws {
        let driver = try await DriverProcess.start("chromedriver")
        do {
            try await run("virtual_authenticator", ["driver": .text("\(driver.address)"), "name": "ada"])
        } catch {
            await driver.stop()
            throw error
        }
        await driver.stop()
    }

    @Test func theSameScriptPassesWithASimulatedDevice() async throws {
        try await withServer { try await run("virtual_authenticator", ["driver": .text($0), "name": "ada"]) }
    }

    @Test(
        "A session's device answers its pages",
        arguments: ["capability", "lockout", "clock", "suggestion", "navigation", "foreign"])
    func device(test: String) async throws {
        try await withServer { try await run("devices", ["driver": .text($0), "test": .text(test)]) }
    }

    @Test func theDriversAnswersPassUnchanged() async throws {
        let driver = try await DriverProcess.start("chromedriver")
        let token = AccessToken()
        let control = try await ControlServer.start(
            ControlConfiguration(token: token, profiles: try ProfileLibrary.standard()))
        let server = try await WebDriverServer.start(
            WebDriverConfiguration(driver: driver.address, control: control, token: token))
        let (direct, through) = (LoopbackClient(port: driver.address.port), LoopbackClient(port: server.port))
        let impossible = #"{"capabilities": {"alwaysMatch": {"browserName": "no-such-browser"}}}"#
        let requests = [
            ("GET", "/status", ""), ("POST", "/session", impossible), ("POST", "/session", "no JSON"),
            ("GET", "/session/unknown/title", ""), ("PUT", "/no/such/command", "{}"),
        ]
        for (method, target, body) in requests {
            let own = try await direct.send(method, driver.address.path + target, body: Array(body.utf8))
            let passed = try await through.send(method, target, body: Array(body.utf8))
            #expect(passed.status == own.status, "\(method) \(target)")
            #expect(passed.values(of: "content-type") == own.values(of: "content-type"))
            #expect(passed.values(of: "cache-control") == own.values(of: "cache-control"))
            // Error messages name addresses in the driver's memory.
            #expect(passed.body.prefix(60) == own.body.prefix(60), "\(String(decoding: passed.body, as: UTF8.self))")
        }
        let page = try await through.send("GET", "/status", fields: [("Origin", "https://example.org")])
        #expect(page.status == 403)
        // A page that finds the driver's own port does not know its path.
        for target in ["/shutdown", "/status", "/session"] {
            #expect(try await direct.send("GET", target).status >= 400)
        }
        #expect(try await through.send("GET", "/status").status == 200)
        await through.close()
        await direct.close()
        await server.stop()
        await control.stop()
        await driver.stop()
    }

    @Test func aMissingDriverIsNamed() async throws {
        try await withProgram { touchstone in
            let output = try await touchstone.run("webdriver", "--port", "0", "--driver", "/no/such/driver")
            #expect(output.status == 3)
            #expect(output.standardError.contains("the driver /no/such/driver was not found"))
        }
    }

    @Test func devToolsLeaveNothingInTheTemporaryFolder() async throws {
        // Chromium's socket needs a short path.
        let folder = URL(filePath: "/tmp/touchstone-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withProgram { touchstone in
            let program = try touchstone.start(["devtools", "--port", "0"], environment: ["TMPDIR": folder.path])
            defer { program.terminate() }
            for await line in program.errors where line.contains("DevTools on") { break }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
            program.terminate()
            #expect(await program.exitStatus() == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }

    @Test func theProgramEndsWithItsDriver() async throws {
        let folder = try TemporaryFolder("driver")
        let driver = folder.url.appending(path: "driver")
        // It is ready, and ends at a request.
        let script = """
            #!/usr/bin/env python3
            import http.server, os, sys
            class Driver(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    if self.path == "/end": os._exit(7)
                    body = b'{"value": {"ready": true}}'
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
            http.server.HTTPServer(("127.0.0.1", int(sys.argv[1].removeprefix("--port="))), Driver).serve_forever()
            """
        try script.write(to: driver, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: driver.path)
        try await withProgram { touchstone in
            let program = try touchstone.start(["webdriver", "--port", "0", "--driver", driver.path])
            defer { program.terminate() }
            var lines: [String] = []
            for await line in program.errors {
                lines.append(line)
                guard let port = line.firstMatch(of: /WebDriver on http:\/\/127\.0\.0\.1:(\d+)/)?.1 else { continue }
                _ = try? await LoopbackClient(port: try #require(Int(port))).send("GET", "/end")
            }
            #expect(lines.contains { $0.contains("the driver has ended") }, "\(lines)")
            #expect(await program.exitStatus() == 1)
        }
    }

    @Test func anAbsentDriverIsNamedAtTheStart() async throws {
        try await withProgram { touchstone in
            let program = try touchstone.start(["webdriver", "--port", "0", "--upstream", "http://localhost:1"])
            defer { program.terminate() }
            var isNamed = false
            for await line in program.errors where line.contains("no driver answers on http://localhost:1") {
                isNamed = true
                break
            }
            #expect(isNamed)
            program.terminate()
            #expect(await program.exitStatus() == 0)
        }
    }

    /// Runs a script with the pages of a relying party.
    private func run(_ name: String, _ requested: [String: JSON]) async throws {
        var configuration = RelyingPartyConfiguration()
        configuration.services = [LoopbackServices()]
        let server = try await RelyingPartyServer.start(configuration)
        do {
            _ = try await Script.run(
                name, in: [Self.scripts], requested.merging(["base": .text(server.baseURL)]) { own, _ in own })
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// Runs `touchstone webdriver` on a free port.
    private func withServer(_ use: (String) async throws -> Void) async throws {
        try await withProgram { touchstone in
            let program = try touchstone.start(["webdriver", "--port", "0"])
            defer { program.terminate() }
            var url: Substring?
            for await line in program.errors {
                guard let start = line.firstRange(of: "WebDriver on ") else { continue }
                url = line[start.upperBound...].prefix { $0 != "," }
                break
            }
            try await use(String(try #require(url)))
            program.terminate()
            #expect(await program.exitStatus() == 0)
        }
    }

    /// Hands out the program with a private folder for its sockets.
    private func withProgram(_ use: (Touchstone) async throws -> Void) async throws {
        let folder = try TemporaryFolder("driver")
        try await use(Touchstone(beside: .module, runtimeDirectory: folder.url))
    }
}
