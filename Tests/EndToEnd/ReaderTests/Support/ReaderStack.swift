import CTAP
import Foundation
import SecurityKeys
import TestSupport
import Testing

/// A separate pcscd with two virtual readers.
///
/// A missing pcscd fails the tests: `scripts/setup.sh test` installs it.
struct ReaderStack: Sendable {
    /// The reason a reader stack is missing.
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    private static let programs = ["/usr/sbin/pcscd", "/usr/local/sbin/pcscd", "/usr/bin/pcscd"]
    private static let drivers = [
        "/usr/lib/pcsc/drivers/serial/libifdvpcd.so", "/usr/local/lib/pcsc/drivers/serial/libifdvpcd.so",
    ]

    /// The running test's stack.
    @TaskLocal static var current: ReaderStack?

    /// The port of the first reader; that of the second is one higher.
    let port: Int
    /// The names of the readers.
    let readers: [String]

    /// Runs pcscd for as long as `use` runs.
    static func with(_ use: @Sendable () async throws -> Void) async throws {
        let remedy = "run `make test`, or `scripts/setup.sh test` once, which installs it"
        guard let program = programs.first(where: FileManager.default.isExecutableFile) else {
            throw Missing(description: "there is no pcscd: \(remedy)")
        }
        guard let driver = drivers.first(where: FileManager.default.fileExists) else {
            throw Missing(description: "there is no vsmartcard-vpcd: \(remedy)")
        }
        if let other = try? await PCSCReader.all() {
            throw Missing(description: "another pcscd runs here, with the readers \(other.map(\.name)): stop it first")
        }
        // If the port is in use, the reader is missing and another port is tried.
        var said = ""
        for _ in 1...5 {
            let port = Int.random(in: 10_000..<30_000) * 2
            let daemon = try Daemon(program: program, driver: driver, port: port)
            do {
                if let readers = await daemon.readers() {
                    try await $current.withValue(ReaderStack(port: port, readers: readers)) { try await use() }
                    await daemon.end()
                    return
                }
            } catch {
                await daemon.end()
                throw error
            }
            await daemon.end()
            said = daemon.output
        }
        throw Missing(description: "pcscd does not start as it should: \(said)")
    }

    static func required() throws -> ReaderStack {
        try #require(current, "this test belongs into a suite with a reader stack")
    }
}

/// A running pcscd.
private final class Daemon: Sendable {
    private let process: Process
    private let directory: URL
    private let exits: AsyncStream<Void>

    init(program: String, driver: String, port: Int) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-pcscd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let channel = "0x" + String(port, radix: 16, uppercase: true)
        let configuration = """
            FRIENDLYNAME "Touchstone"
            DEVICENAME /dev/null:\(channel)
            LIBPATH \(driver)
            CHANNELID \(channel)
            """
        let readers = directory.appending(path: "readers")
        try FileManager.default.createDirectory(at: readers, withIntermediateDirectories: true)
        try Data((configuration + "\n").utf8).write(to: readers.appending(path: "vpcd"))
        let log = directory.appending(path: "log")
        try Data().write(to: log)
        process = Process()
        process.executableURL = URL(filePath: program)
        // It ends by itself after a minute, in case the tests are killed.
        process.arguments = ["--foreground", "--auto-exit", "--config", readers.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: log)
        process.standardError = process.standardOutput
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        exits = stream
        process.terminationHandler = { _ in continuation.finish() }
        try process.runUnblocked()
    }

    /// Its output so far.
    var output: String {
        (try? String(contentsOf: directory.appending(path: "log"), encoding: .utf8)) ?? ""
    }

    /// Its readers, once it is ready; nil when it ends or has none.
    func readers() async -> [String]? {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline, process.isRunning {
            if let readers = try? await PCSCReader.all(), readers.count == 2 { return readers.map(\.name) }
            try? await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }

    func end() async {
        process.terminate()
        for await _ in exits {}
        try? FileManager.default.removeItem(at: directory)
    }
}

/// Gives a suite a reader stack.
struct ReaderStackTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await ReaderStack.with(function)
    }
}

extension Trait where Self == ReaderStackTrait {
    static var readerStack: Self { Self() }
}
