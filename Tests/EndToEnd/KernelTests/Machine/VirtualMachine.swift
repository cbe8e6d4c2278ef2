import Foundation
import SecurityKeys
import TestSupport
import Testing

/// Debian's kernel in qemu, under software emulation and without a network, with a shell that takes scripts.
actor VirtualMachine {
    /// The machine of the tests that run.
    @TaskLocal static var current: VirtualMachine?

    /// The result of a script.
    struct Output: Sendable {
        let status: Int
        let text: String
    }

    private let executor = BlockingExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let directory: URL
    private let process: Process
    private let input: FileHandle
    private let output: FileHandle
    private var buffer: [UInt8] = []

    /// Boots a machine and waits for its shell.
    static func boot() async throws -> VirtualMachine {
        let machine = try VirtualMachine()
        try await machine.start()
        return machine
    }

    private init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-vm-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let archive = try GuestImage.make(in: directory)
        let (toGuest, fromGuest) = (Pipe(), Pipe())
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/qemu-system-x86_64")
        process.arguments = [
            "-accel", "tcg", "-m", "2048", "-smp", "2", "-nographic", "-nodefaults", "-no-reboot",
            "-kernel", PackageRoot.url.appending(path: ".build/kernel/vmlinuz").path, "-initrd", archive.path,
            "-append", "console=ttyS0 quiet panic=-1 tsc=reliable clocksource=tsc mitigations=off", "-serial",
            "file:\(directory.path)/console",
            "-chardev", "stdio,id=shell,signal=off", "-serial", "chardev:shell",
        ]
        process.standardInput = toGuest
        process.standardOutput = fromGuest
        input = toGuest.fileHandleForWriting
        output = fromGuest.fileHandleForReading
    }

    private func start() throws {
        try process.run()
        let greeting = try line(within: 120)
        try #require(greeting == "ready", "\(greeting)")
    }

    /// Switches the machine off.
    func stop() {
        // By the ID of the process that this object started.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Runs a script to its end.
    func run(_ script: String, within seconds: Int = 60) throws -> Output {
        let prelude = "export TOUCHSTONE_PROFILES=/profiles TOUCHSTONE_HARDWARE=/hardware\n"
        try input.write(contentsOf: Data((prelude + script).utf8).base64EncodedData() + Data("\n".utf8))
        let answer = try line(within: seconds).split(separator: " ", maxSplits: 1)
        let status = try #require(answer.first.flatMap { Int($0) }, "\(answer)")
        let text = answer.count == 2 ? Data(base64Encoded: String(answer[1])) : Data()
        return Output(status: status, text: String(decoding: try #require(text), as: UTF8.self))
    }

    /// The next line of the shell.
    private func line(within seconds: Int) throws -> String {
        let deadline = Date().addingTimeInterval(Double(seconds))
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeSubrange(...end)
                return line.trimmingCharacters(in: .whitespacesAndNewlines)
            }
            var ready = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
            let left = Int32(clamping: Int(deadline.timeIntervalSinceNow * 1000))
            guard left > 0, poll(&ready, 1, left) > 0, case let chunk = output.availableData, !chunk.isEmpty else {
                let console = (try? String(contentsOfFile: directory.path + "/console", encoding: .utf8)) ?? ""
                throw GuestImage.Failure(description: "the guest did not answer within \(seconds) s: \(console)")
            }
            buffer += Array(chunk)
        }
    }
}

/// Runs a suite's tests in one machine.
struct InVirtualMachine: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let machine = try await VirtualMachine.boot()
        do {
            try await VirtualMachine.$current.withValue(machine) { try await function() }
        } catch {
            await machine.stop()
            throw error
        }
        await machine.stop()
    }
}

extension Trait where Self == InVirtualMachine {
    static var inVirtualMachine: InVirtualMachine { InVirtualMachine() }
}
