import Foundation
import TestSupport
import Testing

extension Interop {
    /// Commands on a terminal of 80 columns, which `script` makes.
    @Suite struct TerminalWidthTests {
        static let commands = [
            "faces", "errors lockedOut.permanent", "faults list", "faults quirks", "scenario list", "profiles list",
            "profiles show iphone-face-id", "profiles keys", "attestation list", "attestation flaws",
            "keys info --device virtual:yubikey-5-nfc-5.7",
            "keys compare virtual:solo-1 virtual:solo-2", "--help", "device present --help", "device do --help",
            "keys register --help",
        ]

        @Test(arguments: commands)
        func noLineIsWiderThanTheTerminal(command: String) throws {
            let executable = Bundle.module.bundleURL.deletingLastPathComponent().appending(path: "touchstone")
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/script")
            process.arguments = ["-qec", "\(executable.path) \(command)", "/dev/null"]
            process.currentDirectoryURL = PackageRoot.url
            process.environment = ProcessInfo.processInfo.environment.merging(["COLUMNS": "80", "NO_COLOR": "1"]) { $1 }
            let output = Pipe()
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            try process.run()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            let lines = text.split(whereSeparator: \.isNewline)
            #expect(lines.count > 5)
            for line in lines { #expect(line.count <= 80, "\(line)") }
        }
    }
}
