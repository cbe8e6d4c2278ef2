import Foundation
import GRDB
import Machine
import RelyingParty
import RelyingPartyServer
import Synchronization
import TestSupport
import Testing

/// A relying party server whose clock, randomness and events the test controls.
final class Site: Sendable {
    typealias Configure = @Sendable (inout RelyingPartyConfiguration) -> Void

    private let clock = Mutex(Duration.seconds(1_780_000_000))
    private let generator = Mutex(SeededGenerator(seed: 1))
    private let seen = Mutex<[RelyingPartyEvent]>([])
    private let current = Mutex<RelyingPartyServer?>(nil)
    let databasePath: String?
    private let configure: Configure

    private init(databasePath: String?, configure: @escaping Configure) {
        self.databasePath = databasePath
        self.configure = configure
    }

    /// Runs a test against a relying party server in memory, and stops it.
    static func run(
        configure: @escaping Configure = { _ in }, _ test: (Site) async throws -> Void
    ) async throws {
        try await run(databasePath: nil, configure: configure, test)
    }

    /// Runs a test against a relying party server on a file, and stops it and removes the file.
    static func runOnFile(
        configure: @escaping Configure = { _ in }, _ test: (Site) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("server-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("auth.sqlite").path
        try await run(databasePath: path, configure: configure, test)
    }

    private static func run(
        databasePath: String?, configure: @escaping Configure, _ test: (Site) async throws -> Void
    ) async throws {
        let site = Site(databasePath: databasePath, configure: configure)
        try await site.start()
        do {
            try await test(site)
        } catch {
            await site.stop()
            throw error
        }
        await site.stop()
    }

    /// Starts the server, on the port given or on any.
    func start(port: Int = 0) async throws {
        var configuration = RelyingPartyConfiguration()
        configuration.port = port
        configuration.databasePath = databasePath
        configuration.clock = { [self] in clock.withLock { $0 } }
        configuration.random = { [self] count in generator.withLock { $0.bytes(count) } }
        configuration.onVerdict = { [self] event in seen.withLock { $0.append(event) } }
        configuration.passwordCost = ScryptCost(rounds: 16, blockSize: 1)
        configure(&configuration)
        let server = try await RelyingPartyServer.start(configuration)
        current.withLock { $0 = server }
    }

    func stop() async {
        await current.withLock { $0 }?.stop()
    }

    /// Stops and starts on the same file and port.
    func restart() async throws {
        let port = try port
        await stop()
        try await start(port: port)
    }

    func advance(by duration: Duration) {
        clock.withLock { $0 += duration }
    }

    var server: RelyingPartyServer { get throws { try #require(current.withLock { $0 }) } }
    var port: Int { get throws { try server.port } }
    var origin: String { get throws { try server.baseURL } }
    var events: [RelyingPartyEvent] { seen.withLock { $0 } }

    /// A new browser, which keeps its session in a cookie.
    func browser() throws -> Browser {
        Browser(baseURL: try origin)
    }

    /// A browser with a new account.
    func browser(of username: String, password: String? = nil) async throws -> Browser {
        let browser = try browser()
        var body = ["username": username, "displayName": username.capitalized]
        body["password"] = password
        let answer = try await browser.post("accounts", body)
        try #require(answer.status == 201)
        return browser
    }

    /// Reads the tables directly from the file.
    func rows(_ sql: String) throws -> [Row] {
        let path = try #require(databasePath)
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration).read { try Row.fetchAll($0, sql: sql) }
    }
}
