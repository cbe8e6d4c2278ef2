import ControlAPI
import DeviceProfiles
import LoopbackHTTP
import ProfileFiles
import Synchronization
import Testing
import WebDriver

/// The callers of the WebDriver server, in front of a driver that notes its requests.
@Suite struct CallerTests {
    private final class NotingDriver: SocketEndpoint {
        private let noted = Mutex<[String]>([])

        var targets: [String] { noted.withLock { $0 } }

        func answer(_ method: String, _ target: String, host: String) -> SocketServer.Answer {
            noted.withLock { $0.append(target) }
            return SocketServer.Answer(status: 200, body: Array(#"{"value":null}"#.utf8))
        }

        func admits(_ origin: String?, to path: String) -> Bool { false }

        func serve(_ socket: MessageSocket, at path: String) {}
    }

    @Test(
        "A page cannot reach the driver, and no caller can end it",
        arguments: [
            ("/status", [:], 200), ("/status", ["Sec-Fetch-Site": "none"], 200),
            ("/status", ["Sec-Fetch-Site": "same-origin"], 200),
            ("/status", ["Sec-Fetch-Site": "cross-site"], 403), ("/status", ["Sec-Fetch-Site": "same-site"], 403),
            (
                "/status",
                ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"], 403
            ),
            ("/status", ["Origin": "https://evil.example"], 403), ("/status", ["Origin": "null"], 403),
            ("/shutdown", ["Sec-Fetch-Site": "cross-site"], 403), ("/shutdown", [:], 404),
            ("/shutdown?a=b", [:], 404), ("//shutdown", [:], 404), ("/%73hutdown", [:], 404),
        ] as [(String, [String: String], Int)])
    func callers(target: String, fields: [String: String], status: Int) async throws {
        let driver = NotingDriver()
        let upstream = try await SocketServer.start(driver)
        let token = AccessToken()
        let control = try await ControlServer.start(
            ControlConfiguration(token: token, profiles: try ProfileLibrary.standard()))
        let server = try await WebDriverServer.start(
            WebDriverConfiguration(driver: DriverAddress(port: upstream.port), control: control, token: token))
        let client = LoopbackClient(port: server.port)
        let answer = try await client.send("GET", target, fields: fields.map { ($0.key, $0.value) })
        #expect(answer.status == status)
        #expect(driver.targets == (status == 200 ? [target] : []))
        await client.close()
        await server.stop()
        await control.stop()
        await upstream.stop()
    }
}
