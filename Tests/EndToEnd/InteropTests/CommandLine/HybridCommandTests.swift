import CTAP
import CTAPHybrid
import DeviceProfiles
import Foundation
import HybridLink
import HybridTunnel
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

extension Interop {
    /// `--device hybrid:` in a separate process, with a phone in this one.
    @Suite struct HybridCommandTests {
        /// A phone that scans the codes of a program.
        private struct Phone {
            let device: SimulatedDevice
            let way: HybridWay
            let identity: PhoneIdentity

            init(_ runtime: URL) async throws {
                let clock = SimulatedClock()
                let library = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
                device = try SimulatedDevice(
                    profile: try library.profile("iphone-face-id"), time: clock, random: SystemRandomSource(),
                    user: ControlledUser(habit: .auto) { clock.advance(to: $0) })
                way = try await .onThisComputer(folder: TunnelFolder(path: runtime.path + "/tunnels"))
                let random = SystemRandomSource()
                identity = try #require(
                    PhoneIdentity(rootSecret: random.bytes(32), contactID: random.bytes(20), name: "Ada's phone"))
            }

            private func configuration() async throws -> PhoneConfiguration {
                let answer = try await device.ctap(over: .hybrid).transceive([4])
                var configuration = PhoneConfiguration(info: Array(answer.dropFirst()))
                configuration.identity = identity
                return configuration
            }

            func scan(_ text: String) async throws {
                _ = try await PhoneConnection.run(
                    scanned: try QRContents(text: text), as: try await configuration(),
                    device: device.ctap(over: .hybrid), way: way, randomBytes: SystemRandomSource().bytes,
                    pass: { _ in })
            }

            func answerContacts() async throws {
                for await contact in try await #require(way.contacts).contacts(of: identity.contactID) {
                    _ = try await PhoneConnection.run(
                        contacted: contact, identity: identity, as: try await configuration(),
                        device: device.ctap(over: .hybrid), way: way, randomBytes: SystemRandomSource().bytes,
                        pass: { _ in })
                }
            }
        }

        private struct Ran {
            let output: String
            let errors: [String]
            let status: Int32
            let codes: [String]
        }

        private struct Bench {
            let touchstone: Touchstone
            let folder: TemporaryFolder
            let phone: Phone

            /// Runs a command, and scans each code that it shows.
            func run(_ arguments: String...) async throws -> Ran { try await run(arguments) }

            func run(_ arguments: [String]) async throws -> Ran {
                let program = try touchstone.start(arguments, environment: ["XDG_STATE_HOME": folder.path("state")])
                async let output = program.output.reduce(into: []) { $0.append($1) }
                var (errors, codes): ([String], [String]) = ([], [])
                for await line in program.errors {
                    errors.append(line)
                    guard line.hasPrefix(QRContents.prefix) else { continue }
                    codes.append(line)
                    try await phone.scan(line)
                }
                return Ran(
                    output: await output.joined(separator: "\n"), errors: errors, status: await program.exitStatus(),
                    codes: codes)
            }
        }

        private func with(_ use: (Bench) async throws -> Void) async throws {
            let folder = try TemporaryFolder()
            let runtime = folder.url.appending(path: "run")
            let phone = try await Phone(runtime)
            let bench = Bench(touchstone: Touchstone(runtimeDirectory: runtime), folder: folder, phone: phone)
            let result: Result<Void, any Error>
            do { result = .success(try await use(bench)) } catch { result = .failure(error) }
            await phone.way.close()
            try result.get()
        }

        @Test("`keys info` needs one code, and its JSON stands alone on standard output")
        func info() async throws {
            try await with { bench in
                let picture = bench.folder.path("code.png")
                let ran = try await bench.run("keys", "info", "--device", "hybrid:", "--json", "--qr-file", picture)
                #expect(ran.status == 0, "\(ran.errors)")
                #expect(ran.codes.count == 1)
                let report = try JSONSerialization.jsonObject(with: Data(ran.output.utf8)) as? [String: Any]
                #expect(report?["device"] as? String == "hybrid:")
                #expect(try Data(contentsOf: URL(fileURLWithPath: picture)).starts(with: [0x89, 0x50, 0x4E, 0x47]))
                // The border, and half of the first two rows of modules.
                #expect(ran.errors.contains { $0.contains("█▀▀▀▀▀█") })
            }
        }

        @Test("A registration and a sign-in need one code each", arguments: ["libfido2", "direct"])
        func ceremonies(route: String) async throws {
            try await with { bench in
                let common = ["--device", "hybrid:", "--through", route, "--user-verification", "required"]
                for words in [["register"], ["sign-in"], ["sign-in", "--account", "alice"]] {
                    let ran = try await bench.run(["keys"] + words + common)
                    #expect(ran.status == 0 && ran.codes.count == 1, "\(words): \(ran.errors)")
                }
                // The phone looks through the exclude list itself.
                let second = try await bench.run(["keys", "register"] + common)
                #expect(second.status == 1 && second.codes.count == 1, "\(second.errors)")
            }
        }

        @Test("A linked phone needs no code, until the program forgets it")
        func links() async throws {
            try await with { bench in
                let contacts = Task { try await bench.phone.answerContacts() }
                let linked = try await bench.run("keys", "info", "--device", "hybrid:", "--link", "ada")
                #expect(linked.status == 0 && linked.codes.count == 1, "\(linked.errors)")
                #expect(linked.errors.contains { $0.contains("--device hybrid:ada reaches Ada's phone") })
                for words in [["register"], ["sign-in"]] {
                    let ran = try await bench.run(["keys"] + words + ["--device", "hybrid:ada"])
                    #expect(ran.status == 0 && ran.codes.isEmpty, "\(ran.errors)")
                }
                contacts.cancel()
                _ = await contacts.result
                let gone = try await bench.run("keys", "info", "--device", "hybrid:ada")
                #expect(gone.status == 3, "\(gone.errors)")
            }
        }

        @Test("Without a phone in time the status is 3, and the missing part is named")
        func nobodyScans() async throws {
            let folder = try TemporaryFolder()
            let touchstone = Touchstone(runtimeDirectory: folder.url)
            let ran = try await touchstone.run(
                "conformance", "authenticator", "--device", "hybrid:", "--timeout", "1s", "--unattended")
            #expect(ran.status == 3)
            #expect(ran.standardError.contains("no phone has scanned the code within 1 s"), "\(ran.standardError)")
            let bus = try await touchstone.run(
                "keys", "info", "--device", "hybrid:bluez",
                environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path("none"))"])
            #expect(bus.status == 3 && bus.standardError.contains("no message bus answers"), "\(bus.standardError)")
            let link = try await touchstone.run(
                "keys", "info", "--device", "hybrid:ada", environment: ["XDG_STATE_HOME": folder.path("state")])
            #expect(link.status == 3 && link.standardError.contains("there is no linked phone ada"))
        }

        @Test("Options about codes need a device that shows them, and a known format")
        func options() async throws {
            let touchstone = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)
            for arguments in [
                ["keys", "info", "--device", "usb", "--qr-file", "a.png"],
                ["keys", "info", "--device", "hybrid:", "--qr-file", "a.gif"],
                ["keys", "info", "--device", "hybrid:", "--link", "bluez"],
                ["scenario", "run", "passkey-first", "--device", "usb", "--link", "ada"],
            ] {
                let ran = try await touchstone.run(arguments)
                #expect(ran.status == 2, "\(arguments): \(ran.standardError)")
            }
        }

        @Test("A phone plays the device of a scenario, with a code for each ceremony")
        func scenario() async throws {
            try await with { bench in
                let file = bench.folder.url.appending(path: "s.yaml")
                let steps = ["create-account: ada", "register: { expect: { http: 201 } }", "sign-out", "sign-in"]
                let text =
                    "name: t\ndevices: { phone: iphone-face-id }\nsteps:\n"
                    + steps.map { "  - \($0)\n" }.joined()
                try Data(text.utf8).write(to: file)
                let ran = try await bench.run("scenario", "run", file.path, "--device", "phone=hybrid:")
                #expect(ran.status == 0, "\(ran.output) \(ran.errors)")
                #expect(ran.codes.count == 2, "\(ran.errors)")
            }
        }
    }
}
