import Foundation
import TestSupport
import Testing

extension Interop {
    /// `touchstone doctor`, and `touchstone` without arguments, on this computer with some of its parts hidden.
    @Suite struct DoctorCommandTests {
        private struct Report: Decodable {
            struct Use: Decodable {
                let name: String
                let ready: Bool
                let lacks: [String]
            }

            struct Part: Decodable {
                struct Remedy: Decodable {
                    let words: String
                    let command: String?
                }

                let name: String
                let state: String
                let detail: String
                let remedies: [Remedy]
            }

            let version: String
            let uses: [Use]
            let parts: [Part]

            func part(_ name: String) throws -> Part { try #require(parts.first { $0.name == name }) }
        }

        /// The folders of a user's files, in one place.
        private final class Home {
            let folder: TemporaryFolder
            let touchstone: Touchstone
            /// Every file of the user goes into the folder, and no program but the named ones is on the path.
            var environment: [String: String]

            init(programs: [String] = []) throws {
                folder = try TemporaryFolder("doctor")
                touchstone = Touchstone(runtimeDirectory: folder.url.appending(path: "run"))
                let bin = folder.url.appending(path: "bin")
                try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
                environment = [
                    "HOME": folder.url.path, "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": "",
                    "XDG_RUNTIME_DIR": "", "TMPDIR": folder.url.path, "PATH": bin.path, "DISPLAY": "",
                    "WAYLAND_DISPLAY": "",
                ]
                for program in programs {
                    try FileManager.default.createSymbolicLink(
                        at: bin.appending(path: program.split(separator: "/").last.map(String.init) ?? program),
                        withDestinationURL: URL(filePath: program))
                }
            }

            func report(_ arguments: String...) async throws -> (status: Int32, errors: String, report: Report) {
                let output = try await touchstone.run(["doctor", "--json"] + arguments, environment: environment)
                let report = try JSONDecoder().decode(Report.self, from: Data(output.standardOutput.utf8))
                return (output.status, output.standardError, report)
            }
        }

        @Test func aHiddenBrowserIsMissingWithTheCommandThatInstallsIt() async throws {
            let home = try Home()
            let (status, errors, report) = try await home.report("--for", "devtools")
            #expect(status == 1 && errors.contains("devtools lacks chromium"))
            #expect(report.uses.map(\.name) == ["devtools"] && report.uses.allSatisfy { !$0.ready })
            let chromium = try report.part("chromium")
            #expect(chromium.state == "missing" && chromium.detail.contains("was not found on PATH"))
            #expect(chromium.remedies.contains { $0.words.contains("--browser") })
            #expect(!report.parts.contains { $0.name == "pcscd" })
        }

        @Test func aFoundProgramHasItsPathAndItsVersion() async throws {
            let home = try Home(programs: ["/usr/bin/dbus-daemon", "/usr/bin/zbarimg"])
            let (status, _, report) = try await home.report()
            #expect(status == 0)
            let bus = try report.part("dbus-daemon")
            #expect(bus.state == "works" && bus.remedies.isEmpty)
            #expect(bus.detail.hasPrefix("\(home.folder.url.path)/bin/dbus-daemon, D-Bus Message Bus Daemon "))
            #expect(try report.part("x-display").state == "missing" && report.part("chromium").state == "missing")
            #expect(report.uses.first { $0.name == "phone" }?.lacks == ["chromium", "x-display"])
            #expect(report.uses.first { $0.name == "scan" }?.ready == true)
        }

        @Test func aFolderThatCannotBeWrittenStopsRunningDevices() async throws {
            let home = try Home()
            let open = home.folder.url.appending(path: "open")
            try FileManager.default.createDirectory(at: open, withIntermediateDirectories: false)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: open.path)
            let file = home.folder.url.appending(path: "file")
            try Data().write(to: file)
            for (path, problem) in [(open.path, "other users can enter it"), (file.path + "/run", "Not a directory")] {
                home.environment["TOUCHSTONE_RUNTIME"] = path
                let (status, errors, report) = try await home.report("--for", "hybrid")
                #expect(status == 1 && errors.contains("hybrid lacks running-devices"))
                let part = try report.part("running-devices")
                #expect(part.state == "unsuitable" && part.detail.contains(problem))
                #expect(part.remedies.map(\.command) == ["export TOUCHSTONE_RUNTIME=FOLDER"])
                // The command that needs it refuses it, too.
                let refused = try await home.touchstone.run(
                    ["device", "start", "security-key-pin", "--udp", "0"], environment: home.environment)
                #expect(refused.status == 3)
            }
        }

        @Test func aTakenPortHasItsOwner() async throws {
            let home = try Home()
            let ports = [("control", 8470), ("devtools", 9222), ("webdriver", 4444), ("serve", 8080)]
            for (use, port) in ports {
                guard let socket = Self.listen(on: port) else { continue }
                defer { close(socket) }
                let report = try await home.report("--for", use).report
                let part = try report.part("\(use)-port")
                #expect(part.state == "in use" && part.detail.hasSuffix("process \(getpid())"))
                #expect(report.uses.first?.lacks.contains("\(use)-port") == true)
                guard ["control", "serve"].contains(use) else { return }
                // The command leads to the report, which has the owner.
                let refused = try await home.touchstone.run([use], environment: home.environment)
                #expect(refused.status == 3)
                #expect(refused.standardError.contains("`touchstone doctor --for \(use)` says more"))
                return
            }
            Issue.record("each of the usual ports is taken")
        }

        /// A socket that listens on 127.0.0.1; nil where the port is taken.
        private static func listen(on port: Int) -> Int32? {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let bound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
            }
            guard bound == 0, Foundation.listen(descriptor, 1) == 0 else {
                close(descriptor)
                return nil
            }
            return descriptor
        }

        @Test func aLookChangesNothingOnTheDisk() async throws {
            let home = try Home()
            home.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
            let before = try Self.contents(of: home.folder.url)
            let output = try await home.touchstone.run(["doctor"], environment: home.environment)
            #expect(output.status == 0 && output.standardOutput.contains("running-devices  works"))
            #expect(try Self.contents(of: home.folder.url) == before)
        }

        /// Each file below a folder, with its size and its time.
        private static func contents(of folder: URL) throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().map { path in
                let values = try FileManager.default.attributesOfItem(atPath: folder.appending(path: path).path)
                return "\(path) \(values[.size] ?? "") \(values[.modificationDate] ?? "")"
            }
        }

        @Test func theRuleForUdevIsPrintedUnchanged() async throws {
            let touchstone = try Home().touchstone
            let output = try await touchstone.run("doctor", "--udev-rule")
            let file = PackageRoot.url.appending(path: "hardware/70-touchstone.rules")
            #expect(output.status == 0)
            #expect(try output.standardOutput + "\n" == String(contentsOf: file, encoding: .utf8))
            #expect(try await touchstone.run("doctor", "--udev-rule", "--json").status == 2)
        }

        @Test(arguments: [
            (["device", "start", "security-key-pin", "--nfc"], "virtual-nfc"),
            (["browser"], "browser"), (["devtools", "--port", "0"], "devtools"),
            (["browser", "--phone", "iphone-face-id"], "phone"), (["webdriver", "--port", "0"], "webdriver"),
            (["device", "scan", "code.png"], "scan"), (["keys", "info", "--device", "usb"], "usb"),
        ]) func theErrorOfACommandLeadsToTheReport(_ arguments: [String], _ use: String) async throws {
            // The expected errors are those of a machine without keys.
            if use == "usb", try await Home().report("--for", "usb").status == 0 { return }
            let home = try Home()
            try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]).write(
                to: home.folder.url.appending(path: "code.png"))
            let words = arguments.map { $0 == "code.png" ? home.folder.path($0) : $0 }
            if use == "virtual-nfc" {
                let report = try await home.report("--for", use).report
                // The reader of another test may be there.
                if try report.part("vpcd").state == "works" { return }
            }
            let output = try await home.touchstone.run(words, environment: home.environment)
            #expect(output.status != 0)
            #expect(
                output.standardError.replacing("\n", with: " ").contains("`touchstone doctor --for \(use)` says more"),
                "\(output.standardError)")
        }

        @Test func onATerminalThreeCommandsAreShownThatWorkInAnEmptyFolder() async throws {
            let home = try Home()
            let program = home.touchstone.executable.path
            let bin = home.folder.url.appending(path: "bin")
            try FileManager.default.createSymbolicLink(
                at: bin.appending(path: "touchstone"), withDestinationURL: home.touchstone.executable)
            let empty = home.folder.url.appending(path: "empty")
            try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: false)
            let settings =
                "cd \(empty.path); HOME=\(home.folder.url.path) DISPLAY= WAYLAND_DISPLAY= NO_COLOR=1 PATH=\(bin.path) "
            let shown = try await home.touchstone.run(shell: settings + "/usr/bin/script -qec \(program) /dev/null")
            #expect(shown.status == 0)
            let lines = shown.standardOutput.split(whereSeparator: \.isNewline)
            let commands = lines.filter { $0.hasPrefix("    touchstone ") }.map { $0.dropFirst(4) }
            #expect(commands.count == 3 && commands.contains("touchstone doctor --for browser"))
            for command in commands where !command.contains("--device usb") && !command.contains("--device nfc") {
                let output = try await home.touchstone.run(shell: settings + command)
                // Reports about what is missing and about failed cases end with 1.
                let isReport = command.contains("doctor") || command.contains("conformance")
                #expect(isReport ? [0, 1].contains(output.status) : output.status == 0, "\(command)")
                #expect(!output.standardOutput.isEmpty, "\(command): \(output.standardError)")
            }
        }

        @Test func withoutATerminalTheListOfCommandsIsPrinted() async throws {
            let touchstone = try Home().touchstone
            let output = try await touchstone.run()
            let help = try await touchstone.run("--help")
            #expect(output.status == 0 && output.standardOutput == help.standardOutput)
            #expect(help.standardOutput.contains("doctor"))
        }
    }
}
