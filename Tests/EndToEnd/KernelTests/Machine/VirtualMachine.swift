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
        do {
            try await machine.start()
        } catch {
            await machine.stop()
            throw error
        }
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
            // The guest's clock counts its instructions, one nanosecond each, so that no time in it depends on the host.
            "-accel", "tcg,thread=single", "-icount", "shift=0,sleep=off",
            "-m", "2048", "-nographic", "-nodefaults", "-no-reboot",
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
    ///
    /// The limit is time of the emulated processors: beside other work the machine gets less of it, and takes longer. A
    /// machine that waits for something that never comes takes none, and ends at ten times the limit.
    private func line(within seconds: Int) throws -> String {
        let start = processorSeconds
        let deadline = Date().addingTimeInterval(Double(10 * seconds))
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeSubrange(...end)
                return line.trimmingCharacters(in: .whitespacesAndNewlines)
            }
            var ready = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 1000) > 0 else {
                guard processorSeconds - start < Double(2 * seconds), Date() < deadline else { throw silence(seconds) }
                continue
            }
            guard case let chunk = output.availableData, !chunk.isEmpty else { throw silence(seconds) }
            buffer += Array(chunk)
        }
    }

    private func silence(_ seconds: Int) -> GuestImage.Failure {
        let console = (try? String(contentsOfFile: directory.path + "/console", encoding: .utf8)) ?? ""
        return GuestImage.Failure(description: "the guest did not answer within \(seconds) s: \(console)")
    }

    /// The processor time that the machine has used (proc_pid_stat(5): utime and stime).
    private var processorSeconds: Double {
        let fields = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8))?
            .split(separator: ")").last?.split(separator: " ")
        guard let fields, fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            return 0
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
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
