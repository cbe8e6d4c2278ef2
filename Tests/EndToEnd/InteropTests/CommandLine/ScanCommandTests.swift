import Foundation
import TestSupport
import Testing

extension Interop {
    /// `device scan`: a running phone, and a program that shows codes, each in a process of its own.
    @Suite struct ScanCommandTests {
        /// A running phone named `phone`.
        private func withPhone(
            _ options: [String] = [], _ use: (Touchstone, TemporaryFolder) async throws -> Void
        ) async throws {
            let folder = try TemporaryFolder()
            let touchstone = Touchstone(runtimeDirectory: folder.url.appending(path: "run"))
            let device = try touchstone.start(
                ["device", "start", "iphone-face-id", "--udp", "0", "--name", "phone"] + options)
            defer { device.terminate() }
            for await line in device.errors where line.contains("Ctrl-C") { break }
            try await use(touchstone, folder)
        }

        /// Runs a program that shows one code, and the scan of it; returns both outputs.
        private func scanned(
            _ touchstone: Touchstone, _ folder: TemporaryFolder, by arguments: [String],
            _ scan: (String, String) async throws -> Touchstone.Output
        ) async throws -> (shown: Int32, scan: Touchstone.Output) {
            let picture = folder.path("code.png")
            let program = try touchstone.start(arguments + ["--device", "hybrid:", "--qr-file", picture])
            async let output = program.output.reduce(into: []) { $0.append($1) }
            var result: Touchstone.Output?
            for await line in program.errors where line.hasPrefix("FIDO:/") && result == nil {
                result = try await scan(line, picture)
            }
            _ = await output
            return (await program.exitStatus(), try #require(result))
        }

        @Test("A phone scans the text, the picture and the standard input of a program, and answers it")
        func aPhoneAnswers() async throws {
            try await withPhone { touchstone, folder in
                let text = try await scanned(touchstone, folder, by: ["keys", "register"]) { text, _ in
                    try await touchstone.run("device", "scan", text)
                }
                #expect(text.shown == 0 && text.scan.status == 0, "\(text)")
                #expect(text.scan.standardOutput.contains("phone has answered the computer"), "\(text.scan)")
                let picture = try await scanned(touchstone, folder, by: ["keys", "sign-in"]) { _, picture in
                    try await touchstone.run("device", "scan", picture, "--name", "phone")
                }
                #expect(picture.shown == 0 && picture.scan.status == 0, "\(picture)")
                let input = try await scanned(touchstone, folder, by: ["keys", "sign-in"]) { _, picture in
                    try await touchstone.run(
                        shell: "'\(touchstone.executable.path)' device scan - < '\(picture)'")
                }
                #expect(input.shown == 0 && input.scan.status == 0, "\(input)")
            }
        }

        @Test("A wrong code is refused with 2, and a missing part with 3")
        func mistakes() async throws {
            try await withPhone { touchstone, folder in
                let text = folder.path("a.txt")
                try Data("hello\n".utf8).write(to: URL(filePath: text))
                for (code, words) in [
                    ("FIDO:/12", "the digits of whole bytes"), ("otpauth://x", "there is no such file"),
                    (text, "neither a PNG picture nor a text"),
                ] {
                    let output = try await touchstone.run("device", "scan", code)
                    #expect(output.status == 2, "\(code): \(output)")
                    #expect(output.standardError.contains(words), "\(code): \(output.standardError)")
                }
                let without = try await touchstone.run("device", "scan")
                #expect(without.status == 2)
                let screen = try await touchstone.run("device", "scan", "--screen")
                #expect(screen.status == 3 && screen.standardError.contains("touchstone browser URL --hybrid"))
            }
            let nothing = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)
            let output = try await nothing.run("device", "scan", "FIDO:/12", "--name", "nothing")
            #expect(output.status == 3)
        }

        @Test("A locked phone refuses a scan with 1, and a fault of the connection ends it with its reason")
        func theDeviceDecides() async throws {
            try await withPhone { touchstone, folder in
                _ = try await touchstone.run("device", "fault", "tunnel-dropped", "--times", "1")
                let dropped = try await scanned(touchstone, folder, by: ["keys", "register"]) { text, _ in
                    try await touchstone.run("device", "scan", text)
                }
                #expect(dropped.shown != 0 && dropped.scan.status == 1, "\(dropped)")
                #expect(dropped.scan.standardError.contains("in the stage \"command\""), "\(dropped.scan)")
                _ = try await touchstone.run("device", "do", "lock")
                let locked = try await touchstone.run("device", "scan", "FIDO:/12")
                #expect(locked.status == 1 && locked.standardError.contains("the phone is locked"), "\(locked)")
            }
        }
    }
}
