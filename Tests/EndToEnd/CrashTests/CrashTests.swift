import CTAPHID
import Foundation
import GRDB
import TestSupport
import Testing
import Transports

/// Two devices are killed 150 times each, 40 times in `make test`, at random instants and restore every confirmed
/// change.
@Suite struct CrashTests {
    /// The number of times each of the two devices is killed.
    private static let crashes = Ring.isWhole ? 150 : 40

    @Test(arguments: [("crash-global", true, 1), ("crash-per-credential", false, 2)] as [(String, Bool, UInt64)])
    func noConfirmedChangeIsLost(profile: String, hasGlobalCounter: Bool, seed: UInt64) async throws {
        let stage = try CrashStage(profile)
        defer { stage.strike() }
        let client = CrashClient(hasGlobalCounter: hasGlobalCounter, seed: seed)
        try await stage.run { device in try await client.setPIN(device) }

        // Real time, unlike in other tests: a real process is killed at a random instant.
        for crash in 1...Self.crashes {
            // Sometimes it is killed while it starts.
            if crash.isMultiple(of: 8) {
                let process = try stage.start()
                try await Task.sleep(for: .microseconds(await client.number(in: 0..<60_000)))
                process.send(SIGKILL)
                await process.end()
                continue
            }
            let process = try stage.start()
            defer { process.send(SIGKILL) }
            let device = try await UDPDevice.connect(to: "127.0.0.1", port: process.port())
            try await client.check(device)
            try stage.checkFile(holds: await client.discoverableIDs)
            async let work: Void = client.work(device)
            // Some answers come first, however long the machine takes for them.
            await client.waitForAnswers(await client.number(in: 1..<5))
            try await Task.sleep(for: .microseconds(await client.number(in: 0..<4_000)))
            process.send(SIGKILL)
            #expect(await process.end() == -SIGKILL)
            await device.close()
            await work
        }

        try await stage.run { device in try await client.check(device, all: true) }
        try await stage.run { device in try await client.expectNoGap(device) }
        try stage.checkFile(holds: await client.discoverableIDs)
        let (answers, interruptions) = (await client.answers, await client.interruptions)
        // A run without crashes during requests would prove nothing.
        #expect(interruptions > Self.crashes / 2)
        #expect(answers > Self.crashes)
    }

    @Test func readingAFileDoesNotDisturbTheDeviceThatRunsOnIt() async throws {
        let stage = try CrashStage("crash-global")
        defer { stage.strike() }
        let client = CrashClient(hasGlobalCounter: true, seed: 3)
        let process = try stage.start()
        defer { process.send(SIGKILL) }
        let device = try await UDPDevice.connect(to: "127.0.0.1", port: process.port())
        try await client.setPIN(device)
        // The device reads its own file, then another process closes it as if it were the last.
        try await stage.command("restore")
        try await stage.command("inspect")
        for _ in 0..<3 { try await client.registerOne(device) }
        process.send(SIGKILL)
        await process.end()
        await device.close()
        try await stage.run { device in try await client.check(device, all: true) }
    }
}

/// A device's state file, and processes that use it one after the other.
struct CrashStage: Sendable {
    private let directory: URL
    private let profile: String

    private var file: String { directory.appending(path: "device.state").path }

    init(_ profile: String) throws {
        self.profile = Bundle.module.bundleURL.appending(path: "Profiles/\(profile).yaml").path
        directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    func start() throws -> DeviceProcess {
        try DeviceProcess(["start", profile, "--state", file, "--udp", "0", "--person", "auto"], runtime: directory)
    }

    /// Runs another command on the file to its end.
    func command(_ verb: String) async throws {
        let process = try DeviceProcess([verb, file], runtime: directory)
        #expect(await process.end() == 0)
    }

    /// Runs a device and shuts it down cleanly.
    func run(_ use: (UDPDevice) async throws -> Void) async throws {
        let process = try start()
        defer { process.send(SIGKILL) }
        let device = try await UDPDevice.connect(to: "127.0.0.1", port: process.port())
        try await use(device)
        await device.close()
        process.send(SIGTERM)
        #expect(await process.end() == 0)
    }

    /// Checks that the file is intact and holds every credential, also while a process runs on it.
    func checkFile(holds ids: Set<[UInt8]>) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: file, configuration: configuration)
        try queue.read { db in
            #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
            let kept = Set(try Data.fetchAll(db, sql: "SELECT id FROM credentials").map { Array($0) })
            #expect(kept.isSuperset(of: ids))
        }
        try queue.close()
    }

    func strike() {
        try? FileManager.default.removeItem(at: directory)
    }
}
