import Foundation
import TestSupport
import Testing

extension Interop {
    /// `touchstone keys` with a key over UDP, through libfido2 and through raw CTAP.
    @Suite struct KeysCommandTests {
        /// Runs a test with a served key.
        func withKey(
            _ profile: String, person: String = "auto",
            _ use: (_ bench: Bench) async throws -> Void
        ) async throws {
            let directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: directory) }
            let touchstone = Touchstone(runtimeDirectory: directory)
            let device = try touchstone.start(
                ["device", "start", profile, "--udp", "0", "--person", person, "--name", "key"])
            defer { device.terminate() }
            var first: String?
            for await line in device.errors {
                first = line
                break
            }
            let port = try #require(first?.firstMatch(of: /listening on udp:127\.0\.0\.1:(\d+)/)?.output.1)
            try await use(Bench(touchstone: touchstone, device: "udp:127.0.0.1:\(port)", directory: directory))
        }

        struct Bench {
            let touchstone: Touchstone
            let device: String
            let directory: URL

            /// Runs a command on the key.
            func keys(
                _ arguments: String..., through route: String = "libfido2", pin: String? = nil, newPIN: String? = nil
            ) async throws -> Touchstone.Output {
                try await keys(arguments, through: route, pin: pin, newPIN: newPIN)
            }

            func keys(
                _ arguments: [String], through route: String = "libfido2", pin: String? = nil, newPIN: String? = nil
            ) async throws -> Touchstone.Output {
                var environment = ["XDG_STATE_HOME": directory.path]
                environment["TOUCHSTONE_PIN"] = pin
                environment["TOUCHSTONE_NEW_PIN"] = newPIN
                return try await touchstone.run(
                    ["keys"] + arguments + ["--device", device, "--through", route], environment: environment)
            }
        }

        static let routes = ["libfido2", "direct"]

        @Test(arguments: routes)
        func aKeyRegistersAndSignsInAndTheLedgerIsShown(route: String) async throws {
            try await withKey("yubikey-5-nfc-5.7") { bench in
                var output = try await bench.keys("pin", "set", "--yes", through: route, newPIN: "123456")
                #expect(output.status == 0, "\(output.standardError)")
                output = try await bench.keys(
                    "register", "--user-verification", "required", through: route, pin: "123456")
                #expect(output.status == 0, "\(output.standardError)")
                #expect(output.standardOutput.contains("ok   r11 user was verified where required"))
                #expect(
                    output.standardOutput.contains(
                        "-  the step does not apply\nThe relying party accepted (HTTP 201).\nThe ceremony took "))
                #expect(output.standardError.contains("8 PIN retries left"))
                output = try await bench.keys("sign-in", through: route, pin: "123456")
                #expect(output.status == 0, "\(output.standardError)")
                #expect(output.standardOutput.contains("ok   a9  signature verifies with the stored public key"))
                output = try await bench.keys("register", through: route, pin: "123456")
                #expect(output.status == 1)
                #expect(output.standardError.contains("registered for this account already"))

                output = try await bench.keys("credentials", "list", "--json", through: route, pin: "123456")
                struct List: Decodable {
                    struct Row: Decodable { let id: String, relyingPartyID: String, user: String, algorithm: String }
                    let existing: Int
                    let credentials: [Row]
                }
                let list = try JSONDecoder().decode(List.self, from: Data(output.standardOutput.utf8))
                let row = try #require(list.credentials.first)
                #expect(list.existing == 1)
                #expect(row.relyingPartyID == "localhost" && row.user == "alice" && row.algorithm == "ES256")
                output = try await bench.keys(
                    "credentials", "rename", row.id, "bob", through: route, pin: "123456")
                #expect(output.status == 0, "\(output.standardError)")
                #expect(output.standardError.contains("The credential of alice at localhost is named bob now."))
                output = try await bench.keys("large-blobs", "list", through: route, pin: "123456")
                #expect(output.standardOutput.contains("No credential on the key can have a large blob"))
                output = try await bench.keys("credentials", "delete", row.id, through: route, pin: "123456")
                #expect(output.status == 2)
                #expect(
                    output.standardError.contains("This will permanently delete the credential of bob at localhost"))
                #expect(output.standardError.contains("--yes"))
                output = try await bench.keys("credentials", "delete", "bo", "--yes", through: route, pin: "123456")
                #expect(output.status == 2)
                #expect(output.standardError.contains("no discoverable credential \"bo\"; did you mean bob?"))
                output = try await bench.keys("credentials", "delete", "bob", "--yes", through: route, pin: "123456")
                #expect(output.status == 0, "\(output.standardError)")
                output = try await bench.keys("sign-in", through: route, pin: "123456")
                #expect(output.status == 1)
            }
        }

        @Test func anInvalidAccountNameIsNamed() async throws {
            try await withKey("yubikey-5-nfc-5.7") { bench in
                let output = try await bench.keys("register", "--account", "bad name")
                #expect(output.status == 1)
                #expect(output.standardError.contains("(HTTP 400): username.invalid: "))
            }
        }

        @Test(arguments: routes)
        func aWrongPINIsCountedAndTheLastTryNeedsAConfirmation(route: String) async throws {
            try await withKey("security-key-pin") { bench in
                _ = try await bench.keys("pin", "set", "--yes", through: route, newPIN: "2468")
                for left in stride(from: 7, through: 1, by: -1) {
                    let wrong = try await bench.keys(
                        "pin", "change", "--yes", through: route, pin: "0000", newPIN: "1357")
                    #expect(wrong.status == 1)
                    #expect(wrong.standardError.contains("\(left + 1) PIN retries left"))
                    #expect(wrong.standardError.contains("Retries left: PIN \(left)\n"))
                    // Three in a row block until the key is plugged in again.
                    if (8 - left).isMultiple(of: 3) {
                        #expect(wrong.standardError.contains("blocked until a power cycle"))
                        #expect(wrong.standardError.contains("`touchstone device power-cycle --name key`"))
                        let status = try await bench.keys("pin", "status", through: route)
                        #expect(
                            status.standardOutput.contains(
                                "cut the key's power with `touchstone device power-cycle --name key`"))
                        _ = try await bench.touchstone.run("device", "power-cycle")
                    }
                }
                let last = try await bench.keys("pin", "change", "--yes", through: route, pin: "0000", newPIN: "1357")
                #expect(last.status == 2)
                #expect(
                    last.standardError.contains("This is the last retry") && last.standardError.contains("--last-try"))
                let status = try await bench.keys("pin", "status", through: route)
                #expect(status.standardOutput == "A PIN is set; retries left: 1.")
                let spent = try await bench.keys(
                    "pin", "change", "--yes", "--last-try", through: route, pin: "0000", newPIN: "1357")
                #expect(spent.standardError.contains("only `touchstone keys reset --device \(bench.device)`"))
                let blocked = try await bench.keys("pin", "status", "--json", through: route)
                #expect(blocked.standardOutput.contains("\"isBlockedUntilReset\" : true"))
                #expect(blocked.standardOutput.contains("\"isBlockedUntilUnplugged\" : false"))
            }
        }

        @Test(arguments: routes, [["credentials", "list"], ["credentials", "delete", "x", "--yes"], ["register"]])
        func aWrongPINShowsTheRetriesLeft(route: String, command: [String]) async throws {
            try await withKey("yubikey-5-nfc-5.7") { bench in
                _ = try await bench.keys("pin", "set", "--yes", through: route, newPIN: "123456")
                let wrong = try await bench.keys(command, through: route, pin: "000000")
                #expect(wrong.status == 1)
                #expect(wrong.standardError.contains("Retries left: PIN 7\n"), "\(wrong.standardError)")
            }
        }

        @Test func aRemedyNamesTheDeviceWhereSeveralRun() async throws {
            try await withKey("yubikey-5-nfc-5.7") { bench in
                let other = try bench.touchstone.start(
                    ["device", "start", "security-key-pin", "--udp", "0", "--name", "other"])
                defer { other.terminate() }
                for await line in other.errors where line.contains("listening on udp:") { break }
                var output = try await bench.keys("credentials", "list")
                #expect(output.standardError.contains("`touchstone keys pin set --device \(bench.device)`"))
                _ = try await bench.keys("pin", "set", "--yes", newPIN: "123456")
                for _ in 1...3 { output = try await bench.keys("credentials", "list", pin: "000000") }
                let remedy = "touchstone device power-cycle --name key"
                #expect(output.standardError.contains("`\(remedy)`"), "\(output.standardError)")
                let ended = try await bench.touchstone.run(remedy.split(separator: " ").dropFirst().map(String.init))
                #expect(ended.status == 0)
                output = try await bench.keys("credentials", "list", pin: "123456")
                #expect(output.status == 0, "\(output.standardError)")
            }
        }

        @Test(arguments: routes)
        func fingersAreEnrolledNamedAndRemoved(route: String) async throws {
            try await withKey("yubikey-bio-5.7") { bench in
                _ = try await bench.keys("pin", "set", "--yes", through: route, newPIN: "123456")
                var output = try await bench.keys(
                    "fingerprints", "enrol", "--name", "thumb", through: route, pin: "123456")
                #expect(output.status == 0, "\(output.standardError)")
                #expect(output.standardError.contains("left: lift the finger and touch again"))
                let id = output.standardOutput
                output = try await bench.keys("fingerprints", "list", through: route, pin: "123456")
                #expect(output.standardOutput.contains(id) && output.standardOutput.contains("thumb"))
                output = try await bench.keys("fingerprints", "name", "thumb", "index", through: route, pin: "123456")
                #expect(output.status == 0, "\(output.standardError)")
                output = try await bench.keys("fingerprints", "list", "--json", through: route, pin: "123456")
                #expect(output.standardOutput.contains("\"index\""))
                output = try await bench.keys("fingerprints", "remove", id, through: route, pin: "123456")
                #expect(output.status == 2)
                output = try await bench.keys(
                    "fingerprints", "remove", String(id.prefix(2)), "--yes", through: route, pin: "123456")
                #expect(output.status == 0, "\(output.standardError)")
                output = try await bench.keys("fingerprints", "list", "--json", through: route, pin: "123456")
                #expect(!output.standardOutput.contains(id))
            }
        }

        @Test(arguments: routes)
        func aResetAsksAndErasesTheKey(route: String) async throws {
            try await withKey("security-key-pin") { bench in
                _ = try await bench.keys("pin", "set", "--yes", through: route, newPIN: "2468")
                _ = try await bench.touchstone.run("device", "power-cycle")
                var output = try await bench.keys("reset", through: route)
                #expect(output.status == 2)
                #expect(output.standardError.contains("This will permanently erase everything on 127.0.0.1:"))
                output = try await bench.keys("reset", "--yes", through: route)
                #expect(output.status == 0, "\(output.standardError)")
                output = try await bench.keys("pin", "status", through: route)
                #expect(output.standardOutput.hasPrefix("No PIN is set"))
            }
        }

        @Test(arguments: routes)
        func theTraceHasTheRequests(route: String) async throws {
            try await withKey("security-key-bio") { bench in
                let file = bench.directory.appending(path: "trace.jsonl").path
                let output = try await bench.keys("register", "--trace", file, through: route)
                #expect(output.status == 0, "\(output.standardError)")
                let told = try await bench.touchstone.run("trace", "show", file)
                #expect(told.standardOutput.contains("MakeCredential"))
                #expect(told.standardOutput.contains("localhost"))
            }
        }

        @Test(arguments: routes)
        func aFailedStepIsNamedByItsLabel(route: String) async throws {
            try await withKey("security-key-bio") { bench in
                _ = try await bench.keys("register", through: route)
                _ = try await bench.touchstone.run("device", "fault", "counter-backwards")
                let output = try await bench.keys("sign-in", through: route)
                #expect(output.status == 1)
                #expect(
                    output.standardOutput.contains("FAIL a10 signature counter increased, or is not in use: counter."))
                let json = try await bench.keys("sign-in", "--json", through: route)
                #expect(json.standardOutput.contains("\"outcome\" : \"failed\""))
            }
        }

        @Test(arguments: routes)
        func aMissingFeatureIsReportedBeforeThePINIsAskedFor(route: String) async throws {
            try await withKey("security-key-pin") { bench in
                _ = try await bench.keys("pin", "set", "--yes", through: route, newPIN: "2468")
                for (command, words) in [
                    ("credentials", "no credential management"), ("fingerprints", "no fingerprint sensor"),
                    ("large-blobs", "no large blobs"),
                ] {
                    let output = try await bench.keys(command, "list", through: route, pin: "2468")
                    #expect(output.status == 1)
                    #expect(output.standardError.contains(words))
                    #expect(!output.standardError.contains("PIN retries left"))
                }
            }
        }

        @Test(arguments: routes)
        func aKeyWithoutAPINIsReported(route: String) async throws {
            try await withKey("yubikey-5-nfc-5.7") { bench in
                let output = try await bench.keys("credentials", "list", through: route)
                #expect(output.status == 1)
                #expect(output.standardError.contains("has no PIN"))
                #expect(output.standardError.contains("touchstone keys pin set"))
            }
        }

        @Test(arguments: routes)
        func aNewPINIsMeasuredBeforeTheKeyIsAsked(route: String) async throws {
            try await withKey("yubikey-5-nfc-5.7") { bench in
                let short = try await bench.keys("pin", "set", "--yes", through: route, newPIN: "12")
                #expect(short.status == 2)
                #expect(short.standardError.contains("the new PIN has 2 characters, and this key needs at least 4"))
                let long = try await bench.keys(
                    "pin", "set", "--yes", through: route, newPIN: String(repeating: "1", count: 64))
                #expect(long.standardError.contains("more than 63 bytes"))
            }
        }

        @Test(arguments: routes)
        func aWrongPINIsToldOnce(route: String) async throws {
            try await withKey("security-key-complete") { bench in
                _ = try await bench.keys("pin", "set", "--yes", through: route, newPIN: "123456")
                let output = try await bench.keys("register", through: route, pin: "000000")
                #expect(output.status == 1)
                let lines = output.standardError.split(separator: "\n").filter { $0.lowercased().contains("wrong") }
                #expect(lines.count == 1, "\(output.standardError)")
                #expect(!output.standardOutput.lowercased().contains("wrong"))
            }
        }

        @Test func severalCredentialsOfAnAccountAreToldApartByTheirIDs() async throws {
            try await withKey("yubikey-5-nfc-5.7") { bench in
                _ = try await bench.keys("pin", "set", "--yes", newPIN: "123456")
                for account in ["alice", "bob"] {
                    _ = try await bench.keys("register", "--account", account, pin: "123456")
                }
                let renamed = try await bench.keys("credentials", "rename", "bob", "alice", pin: "123456")
                #expect(renamed.status == 0, "\(renamed.standardError)")
                let several = try await bench.keys("credentials", "delete", "alice", "--yes", pin: "123456")
                #expect(several.status == 2)
                #expect(several.standardError.contains("\"alice\" names 2 discoverable credentials: "))
                let start = try #require(several.standardError.firstMatch(of: /: (\w{16})…/)).output.1
                let one = try await bench.keys("credentials", "delete", String(start), "--yes", pin: "123456")
                #expect(one.status == 0, "\(one.standardError)")
                #expect(try await bench.keys("credentials", "delete", "alice", "--yes", pin: "123456").status == 0)
            }
        }

        @Test func anUnknownAccountIsNamed() async throws {
            try await withKey("security-key-bio") { bench in
                let unknown = try await bench.keys("sign-in", "--account", "carol")
                #expect(unknown.status == 2)
                #expect(unknown.standardError.contains("no account \"carol\""))
                _ = try await bench.keys("register", "--account", "carol")
                #expect(try await bench.keys("sign-in", "--account", "carol").status == 0)
            }
        }

        /// The key takes a list of eight credentials.
        @Test(arguments: routes)
        func anAccountWithManyCredentialsSignsIn(route: String) async throws {
            try await withKey("yubikey-5-nfc-5.7") { bench in
                for _ in 0..<8 {
                    let other = try await bench.touchstone.run(
                        "keys", "register", "--device", "virtual:yubikey-5-nfc-5.7", "--account", "alice",
                        environment: ["XDG_STATE_HOME": bench.directory.path])
                    #expect(other.status == 0, "\(other.standardError)")
                }
                for arguments in [["register"], ["sign-in"]] {
                    let output = try await bench.keys(arguments + ["--account", "alice"], through: route)
                    #expect(output.status == 0, "\(output.standardError)")
                }
                let again = try await bench.keys("register", "--account", "alice", through: route)
                #expect(again.standardError.contains("registered for this account already"), "\(again)")
            }
        }

        @Test func aConfirmationStatesTheConsequence() async throws {
            try await withKey("yubikey-5-nfc-5.7") { bench in
                _ = try await bench.keys("pin", "set", "--yes", newPIN: "123456")
                let output = try await bench.keys("config", "min-pin-length", "8", pin: "123456")
                #expect(output.status == 2)
                #expect(output.standardError.contains("A shorter PIN must be changed before the next use of the key."))
                let equal = try await bench.keys("config", "min-pin-length", "4", "--yes", pin: "123456")
                #expect(equal.status == 2)
                #expect(equal.standardError.contains("a PIN has at least 4 characters already"))
                let longest = try await bench.keys("config", "min-pin-length", "64", "--yes", pin: "123456")
                #expect(longest.status == 2)
                #expect(longest.standardError.contains("a PIN has at most 63 characters; give 63 or less"))
                let refused = try await bench.keys("config", "min-pin-length", "3", "--yes", pin: "123456")
                #expect(refused.status == 2)
                #expect(refused.standardError.contains("the length cannot be lowered below 4"))
            }
        }

        @Test(arguments: routes)
        func aDueChangeOfThePINIsNamedByEveryCommand(route: String) async throws {
            try await withKey("yubikey-5-nfc-5.7") { bench in
                _ = try await bench.keys("pin", "set", "--yes", through: route, newPIN: "123456")
                _ = try await bench.keys("config", "force-pin-change", "--yes", through: route, pin: "123456")
                for command in [["credentials", "list"], ["register", "--user-verification", "required"]] {
                    let output = try await bench.keys(command, through: route, pin: "123456")
                    #expect(output.status == 1)
                    #expect(
                        output.standardError.contains("`touchstone keys pin change --device \(bench.device)`"),
                        "\(output.standardError)")
                }
                let changed = try await bench.keys(
                    "pin", "change", "--yes", through: route, pin: "123456", newPIN: "654321")
                #expect(changed.status == 0, "\(changed.standardError)")
            }
        }

        @Test(arguments: routes)
        func aSettingThatTheKeyLacksIsNamed(route: String) async throws {
            try await withKey("yubikey-5-nfc-5.7") { bench in
                _ = try await bench.keys("pin", "set", "--yes", through: route, newPIN: "123456")
                let output = try await bench.keys(
                    "config", "enterprise-attestation", "--yes", through: route, pin: "123456")
                #expect(output.status == 1)
                #expect(
                    output.standardError.contains("cannot have enterprise-attestation"), "\(output.standardError)")
            }
        }

        @Test func theNameOfARunningDeviceLeadsToItsAddress() async throws {
            try await withKey("security-key-pin") { bench in
                let output = try await bench.touchstone.run("keys", "info", "--device", "key")
                #expect(output.status == 2)
                #expect(output.standardError.contains("the running device key is --device \(bench.device)"))
            }
        }

        @Test func aBusyPortLeadsToAFreeOne() async throws {
            try await withKey("security-key-pin") { bench in
                let port = try #require(bench.device.split(separator: ":").last)
                let output = try await bench.touchstone.run(
                    "device", "start", "security-key-pin", "--udp", "\(port)", "--name", "second")
                #expect(output.status == 3)
                let advice = "choose another port"
                #expect(output.standardError.contains("\(advice) with --udp, or a free one with --udp 0"))
                #expect(output.standardError.components(separatedBy: advice).count == 2, "\(output.standardError)")
            }
        }

        @Test(arguments: routes)
        func withoutATerminalACeremonyEndsLikeOtherCommands(route: String) async throws {
            try await withKey("yubikey-5-nfc-5.7") { bench in
                _ = try await bench.keys("pin", "set", "--yes", through: route, newPIN: "123456")
                let output = try await bench.keys("register", "--user-verification", "required", through: route)
                #expect(output.status == 2)
                #expect(output.standardError.contains("there is no terminal to ask for the PIN on"))
            }
        }

        @Test(arguments: routes)
        func withoutATerminalThePINIsNotReadFromStandardInput(route: String) async throws {
            try await withKey("yubikey-5-nfc-5.7") { bench in
                _ = try await bench.keys("pin", "set", "--yes", through: route, newPIN: "123456")
                let output = try await bench.keys("credentials", "list", through: route)
                #expect(output.status == 2)
                #expect(output.standardError.contains("there is no terminal to ask for the PIN on"))
                #expect(output.standardError.contains("$TOUCHSTONE_PIN"))
            }
        }

        @Test func anUnusableDatabaseIsNamed() async throws {
            try await withKey("security-key-bio") { bench in
                let output = try await bench.keys("register", "--database", "/nowhere/keys.sqlite")
                #expect(output.status == 2)
                #expect(output.standardError.contains("/nowhere/keys.sqlite"))
            }
        }

        @Test func theInfoIsComparedWithTheKnownKey() async throws {
            try await withKey("yubikey-5-nfc-5.7") { bench in
                let output = try await bench.keys("info", through: "direct")
                #expect(output.status == 0, "\(output.standardError)")
                #expect(output.standardOutput.contains("Known as YubiKey 5"))
                #expect(output.standardOutput.contains("Its answer matches the known key."))
                let json = try await bench.keys("info", "--json", through: "direct")
                let report = try JSONSerialization.jsonObject(with: Data(json.standardOutput.utf8)) as? [String: Any]
                #expect((report?["info"] as? [String: Any])?["members"] is [Any])
            }
        }

        @Test(arguments: [
            (["keys", "info", "--device", "usb"], 3, "no security key is plugged in"),
            (["keys", "info", "--device", "usb:/dev/hidraw99"], 3, "there is no security key usb:/dev/hidraw99"),
            (["keys", "info", "--device", "toaster"], 2, "is not a device selector"),
            (["keys", "info", "--device", "virtual:toaster"], 2, "toaster"),
            (["keys", "info", "--device", "udp:127.0.0.1:1"], 3, "the device"),
            (
                ["keys", "credentials", "delete", "xyz", "--device", "virtual:security-key-pin"], 1,
                "has no credential management"
            ),
            (["device", "start", "security-key-pin", "--usb"], 3, "modprobe uhid"),
        ])
        func aMissingDeviceIsReported(arguments: [String], status: Int, words: String) async throws {
            let directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: directory) }
            // The expected errors are those of a machine without keys and UHID.
            if FileManager.default.fileExists(atPath: "/dev/uhid"), status == 3, arguments.contains("--usb") { return }
            let program = try Touchstone(runtimeDirectory: directory).start(arguments)
            async let errors = program.errors.reduce(into: "") { $0 += $1 }
            for await _ in program.output {}
            #expect(await program.exitStatus() == Int32(status))
            #expect(await errors.contains(words))
        }
    }
}
