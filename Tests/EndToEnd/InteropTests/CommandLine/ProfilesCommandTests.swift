import DeviceProfiles
import Foundation
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

extension Interop {
    /// `touchstone profiles` in a separate process.
    @Suite struct ProfilesCommandTests {
        private func run(_ arguments: String...) async throws -> Touchstone.Output {
            let directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
            return try await Touchstone(runtimeDirectory: directory).run(["profiles"] + arguments)
        }

        @Test func theListIsGroupedByKind() async throws {
            let output = try await run("list")
            #expect(output.status == 0)
            let lines = output.standardOutput.split(separator: "\n").map(String.init)
            let headings = ["Phones", "Password managers and authenticator apps", "Security keys", "Test devices"]
            let places = headings.compactMap { heading in lines.firstIndex(of: heading) }
            #expect(places.count == headings.count && places == places.sorted())
            let phone = try #require(lines.firstIndex { $0.hasPrefix("iphone-face-id ") })
            let key = try #require(lines.firstIndex { $0.hasPrefix("titan-v2 ") })
            #expect(places.first.map { $0 < phone } == true && phone < key)
            for name in ShippedProfiles.names { #expect(lines.contains { $0.hasPrefix("\(name) ") }, "\(name)") }
        }

        @Test func aProfileIsExplainedFailureByFailure() async throws {
            let output = try await run("show", "iphone-touch-id")
            let text = output.standardOutput
            #expect(text.contains("iphone-touch-id, extends iphone-face-id"))
            #expect(text.contains("1st and 2nd failure in a row: the prompt asks again and offers the fallback"))
            #expect(text.contains("3rd failure in a row: the prompt asks for the passcode"))
            #expect(
                text.contains(
                    "5th failure in a row: the prompt asks for the passcode, the sensor locks until the passcode is "
                        + "entered (LAError -8 biometryLockout)"))
            #expect(text.contains("BE and BS set: synced"))
            #expect(text.contains("no-credential: canceled"))
        }

        @Test func androidHasThreeTimedLockoutsAndThenAPermanentOne() async throws {
            struct Shown: Decodable { let failures: [String], extends: [String], kind: String, faces: [String: String] }
            let output = try await run("show", "samsung-fingerprint", "--json")
            let shown = try JSONDecoder().decode(Shown.self, from: Data(output.standardOutput.utf8))
            #expect(shown.extends == ["pixel-fingerprint"] && shown.kind == "phone")
            #expect(shown.failures.count { $0.contains("locks for 30 s (BiometricPrompt 7") } == 3)
            #expect(shown.failures.last?.hasPrefix("20th failure in a row: the prompt ends") == true)
            #expect(shown.failures.last?.contains("BiometricPrompt 9 ERROR_LOCKOUT_PERMANENT") == true)
            #expect(shown.faces["lockout-check"] == "success")
        }

        @Test func aDeviceWithoutASensorShowsNoFailures() async throws {
            let output = try await run("show", "windows-hello-pin")
            #expect(output.standardOutput.contains("the device credential is user verification"))
            #expect(!output.standardOutput.contains("failure in a row"))
        }

        @Test(arguments: [
            (["devcie", "list"], "`touchstone` has no command \"devcie\"; did you mean device?"),
            (
                ["keys", "credential", "list"],
                "`touchstone keys` has no command \"credential\"; did you mean credentials?"
            ),
            (
                ["keys", "credentials", "lst"],
                "`touchstone keys credentials` has no command \"lst\"; did you mean list?"
            ),
            (["device", "stop"], "Ctrl-C ends a device in its terminal"),
            (["keys", "info", "--device", "yubikey-5-nfc-5.7"], "did you mean --device virtual:yubikey-5-nfc-5.7"),
            (["keys", "info", "--device", "usbb"], "did you mean --device usb"),
            (["keys", "info", "--device", "virtual:yubikey-5-nfc"], "did you mean yubikey-5-nfc-5.4"),
            (["relying-party", "check", "touchstoen"], "did you mean touchstone"),
            (["profiles", "xyzzy"], "`touchstone profiles --help` lists the commands"),
            (["scenario", "run", "airplane"], "unknown scenario \"airplane\"; did you mean airplane-mode?"),
            (["device", "do", "enrl"], "did you mean enrol"),
            (["device", "present", "mach"], "did you mean match"),
        ])
        func anUnknownWordIsAnsweredWithTheNearest(arguments: [String], says: String) async throws {
            let output = try await Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory).run(arguments)
            #expect(output.status == 2)
            #expect(output.standardError.contains(says), "\(output.standardError)")
        }

        @Test func aProfileIsWrittenFromAnAnswerToGetInfoAndStarted() async throws {
            let folder = try TemporaryFolder("profiles")
            let touchstone = Touchstone(runtimeDirectory: folder.url.appending(path: "run"))
            let device = try SimulatedDevice(
                profile: try ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path).profile(
                    "solo-2"), time: SimulatedClock(),
                random: SeededRandomSource(seed: 1), user: ConsentingUser())
            let answer = await device.authenticator.transceive([0x04], onKeepalive: { _ in })
            try Data(answer.dropFirst()).write(to: folder.url.appending(path: "get info.cbor"))
            let file = folder.path("my keys/key.yaml")
            let made = try await touchstone.run("profiles", "new", file, "--from", folder.path("get info.cbor"))
            #expect(made.status == 0, "\(made.standardError)")
            #expect(made.standardOutput.contains("touchstone device start '\(file)'"), "\(made.standardOutput)")
            let shown = try await touchstone.run("profiles", "show", file)
            #expect(shown.status == 0, "\(shown.standardError)")
            #expect(try await touchstone.run("profiles", "validate", file).status == 0)
            let started = try touchstone.start(["device", "start", file, "--udp", "0", "--name", "made"])
            defer { started.terminate() }
            var first: String?
            for await line in started.errors {
                first = line
                break
            }
            #expect(first?.contains("as made") == true, "\(first ?? "")")
            #expect(try await touchstone.run("device", "status", "--name", "made").status == 0)
            let again = try await touchstone.run("profiles", "new", file, "--from", folder.path("get info.cbor"))
            #expect(again.status == 2 && again.standardError.contains("exists; choose another name"))
            let bare = try await touchstone.run(
                "profiles", "new", folder.path("my key"), "--from", folder.path("get info.cbor"))
            #expect(bare.standardError.contains("write '\(folder.path("my key")).yaml'"), "\(bare.standardError)")
            let broken = try await touchstone.run(
                "profiles", "new", folder.path("other.yaml"), "--from", "00a20181684649444f5f325f300341aa")
            #expect(broken.status == 2 && broken.standardError.contains("aaguid"), "\(broken.standardError)")
        }

        @Test func theKeysOfAProfileAreListedAndPrintedAsAPage() async throws {
            let list = try await run("keys").standardOutput
            for section in ProfileReference.sections {
                #expect(list.contains("\n\(section.path)\n"), "\(section.path)")
                for key in section.keys { #expect(list.contains("\n\(key.name) "), "\(key.name)") }
            }
            #expect(try await run("keys", "--markdown").standardOutput + "\n" == ProfileReference.markdown)
        }

        @Test func theSchemaIsTheShippedOne() async throws {
            let output = try await run("schema")
            let file = try String(contentsOf: PackageRoot.url.appending(path: "profiles/schema.json"), encoding: .utf8)
            #expect(output.standardOutput + "\n" == file)
        }
    }
}
