internal import Foundation
internal import Synchronization

/// A private message bus: a `dbus-daemon` with a socket in a folder that only the user can enter.
///
/// The bus starts no service, and permits its clients everything. It has no connection with the system's bus. A guard ends it, and
/// deletes its folder, when this process ends in any way.
package final class BusDaemon: Sendable {
    /// The address for clients, for example in the variable of ``BlueZRadio/addressVariable``.
    package let address: String
    private let process: Process
    /// The guard's standard input.
    private let lifeline: FileHandle
    private let end: Task<Void, Never>
    private let folder: URL

    /// The most bytes of a socket's path on every system.
    private static let longestPath = 103
    /// The place for the folder where the one for temporary files has a long path.
    private static let shortFolder = "/tmp"

    /// The guard: a script of the shell that starts the daemon, and ends it when its own standard input ends.
    ///
    /// A daemon that has ended stays the shell's child, so that no other process has its number. The signals of the keyboard reach
    /// the whole group. The shell waits for no child, because it may inherit a mask with SIGCHLD.
    private static let guardScript = """
        trap '' HUP INT QUIT TERM
        exec 3<&0 </dev/null
        "$@" 3<&- &
        exec >&- 2>&-
        read -r line <&3
        kill -9 $!
        exec rm -rf -- "$0"
        """

    private init(address: String, process: Process, lifeline: FileHandle, end: Task<Void, Never>, folder: URL) {
        self.address = address
        self.lifeline = lifeline
        self.process = process
        self.end = end
        self.folder = folder
    }

    /// Starts a bus; it runs until ``stop()``.
    ///
    /// - Parameters:
    ///   - program: The daemon's name or path.
    ///   - patience: The time that the daemon has to say its address.
    /// - Throws: ``RadioError/noBusDaemon(_:)`` when the program is missing, ends, or says nothing.
    package static func start(
        _ program: String = "dbus-daemon", patience: Duration = .seconds(30)
    ) async throws(RadioError) -> BusDaemon {
        do {
            let folder = try makeFolder()
            do {
                return try await start(program, in: folder, patience)
            } catch {
                try? FileManager.default.removeItem(at: folder)
                throw error
            }
        } catch let error as RadioError {
            throw error
        } catch {
            throw .noBusDaemon("\(error)")
        }
    }

    private static func start(
        _ program: String, in folder: URL, _ patience: Duration
    ) async throws -> BusDaemon {
        let configuration = folder.appending(path: "bus.conf")
        try Data(Self.configuration(socket: socket(in: folder)).utf8).write(to: configuration)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", guardScript, folder.path, "/usr/bin/env", program, "--nofork", "--nopidfile", "--print-address=1",
            "--config-file=\(configuration.path)",
        ]
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        let lifeline = input.fileHandleForWriting
        // A program that this process starts later must not keep the guard waiting.
        _ = fcntl(lifeline.fileDescriptor, F_SETFD, FD_CLOEXEC)
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        let (ends, ending) = AsyncStream.makeStream(of: Never.self)
        let end = Task { for await _ in ends {} }
        process.terminationHandler = { _ in ending.finish() }
        try process.run()
        let killer = Task {
            try await Task.sleep(for: patience)
            try lifeline.close()
        }
        defer { killer.cancel() }
        // The daemon says its address when it listens; its end closes the pipe.
        guard let address = await firstLine(of: output.fileHandleForReading), !address.isEmpty else {
            try? lifeline.close()
            await end.value
            let said = await firstLine(of: errors.fileHandleForReading) ?? ""
            throw RadioError.noBusDaemon(said.isEmpty ? "\(program) says no address" : said)
        }
        return BusDaemon(address: address, process: process, lifeline: lifeline, end: end, folder: folder)
    }

    deinit { try? lifeline.close() }

    /// Whether the bus has not been stopped.
    package var isRunning: Bool { process.isRunning }

    /// Ends the daemon, and deletes its folder.
    package func stop() async {
        try? lifeline.close()
        await end.value
        try? FileManager.default.removeItem(at: folder)
    }

    private static func makeFolder() throws -> URL {
        let name = "touchstone-bus-\(UUID().uuidString.suffix(12))"
        var folder = FileManager.default.temporaryDirectory.appending(path: name)
        if socket(in: folder).utf8.count > longestPath { folder = URL(filePath: shortFolder).appending(path: name) }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        return folder
    }

    private static func socket(in folder: URL) -> String { folder.appending(path: "socket").path }

    private static func configuration(socket: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <listen>unix:path=\(escaped(socket))</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow user="*"/>
            <allow own="*"/>
            <allow send_type="method_call"/>
            <allow send_type="signal"/>
            <allow send_requested_reply="true" send_type="method_return"/>
            <allow send_requested_reply="true" send_type="error"/>
            <allow receive_type="method_call"/>
            <allow receive_type="method_return"/>
            <allow receive_type="error"/>
            <allow receive_type="signal"/>
          </policy>
        </busconfig>

        """
    }

    /// A path in an address in XML: D-Bus escapes every byte outside a few (D-Bus Specification, "Server Addresses").
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            let isPlain =
                "-_/.*".utf8.contains(byte) || (byte < 0x80 && Character(UnicodeScalar(byte)).isLetter)
                || (0x30...0x39).contains(byte)
            let digits = String(byte, radix: 16)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }

    /// The first line of a pipe, read on a thread of its own, because reading blocks; nil when it ends without one.
    private static func firstLine(of handle: FileHandle) async -> String? {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                var line: [UInt8] = []
                while line.count < 4096, let byte = try? handle.read(upToCount: 1)?.first, byte != 0x0A {
                    line.append(byte)
                }
                continuation.resume(returning: line.isEmpty ? nil : String(decoding: line, as: UTF8.self))
            }
            thread.start()
        }
    }
}
