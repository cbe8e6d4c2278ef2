import CTAP
import DeviceProfiles
import Documents
import Faults
import ProfileFiles
import Reports
import Scenarios
import SimulatedDevice
import Synchronization
import TestSupport
import Testing
import Transports
import VirtualAuthenticator
import WebAuthnClient

/// Scenarios with a real device: here one behind UDP, of which the runner sees only the answers.
struct RealDeviceTests {
    /// Records the instructions to the user.
    private final class Terminal: Sendable {
        private let told = Mutex<[String]>([])

        var lines: [String] { told.withLock { $0 } }

        func tell(_ text: String) { told.withLock { $0.append(text) } }
    }

    private static func scenario(_ steps: String, devices: String = "key: security-key-pin") throws -> Scenario {
        try Scenario(parsing: "name: t\ndevices: { \(devices) }\nsteps:\n" + steps, file: "test.yaml")
    }

    /// Plays steps with a simulated device in place of a real one.
    private static func play(
        _ steps: String, devices: String = "key: security-key-pin", profile: String = "security-key-pin",
        person: RealDevice.UserPlace = .elsewhere, told: Terminal = Terminal(), pin: String? = nil,
        arrange: (SimulatedDevice, ControlledUser) async throws -> Void = { _, _ in }
    ) async throws -> ScenarioReport {
        let clock = SimulatedClock()
        let habits = ControlledUser(habit: .auto) { clock.advance(to: $0) }
        let device = try SimulatedDevice(
            profile: try ShippedScenarioTests.profiles.profile(profile), time: clock,
            random: SeededRandomSource(seed: 9), user: habits)
        try await arrange(device, habits)
        var configuration = UDPEndpoint.Configuration()
        configuration.port = 0
        let endpoint = try await UDPEndpoint.listen(device: device.ctap, configuration: configuration)
        do {
            let client = try await UDPDevice.connect(
                // The suites beside this one use every core for longer than a key may be silent.
                to: configuration.address, port: endpoint.port, silenceLimit: .seconds(60))
            var environment = ClientEnvironment(randomBytes: SeededRandomSource(seed: 2).bytes, now: clock.now)
            environment.enterPIN = { _ in pin.map(PINEntry.pin) ?? .cancelled }
            let real = RealDevice(ctap: client, person: person, environment: environment, tell: told.tell)
            let report = try await ScenarioRunner(profiles: ShippedScenarioTests.profiles)
                .run(scenario(steps, devices: devices), on: ["key": real])
            await client.close()
            await endpoint.close()
            return report
        } catch {
            await endpoint.close()
            throw error
        }
    }

    private static let story = """
          - create-account: ada
          - register: { expect: { http: 201, user-verified: false, sign-count: 77, touches: 1 } }
          - register: { expect: { outcome: refused, page: InvalidStateError, status: CREDENTIAL_EXCLUDED } }
          - list-passkeys: { expect: { passkeys: 1 } }
          - sign-out
          - sign-in: { expect: { http: 200, ledger: none } }
          - restart-server
          - check: { expect: { credentials: 5 } }
          - list-passkeys: { expect: { passkeys: 1 } }

        """

    @Test func aScenarioIsPlayedWithARealDevice() async throws {
        let report = try await Self.play(Self.story)
        for step in report.steps { #expect(step.passed, "\(step.title): \(step.mismatches) \(step.server)") }
        #expect(report.steps[1].ctap.contains("MakeCredential: OK (0x00)"))
        #expect(report.steps[2].told == ["DOMException InvalidStateError"])
    }

    @Test func hiddenObservationsOfARealDeviceAreNoted() async throws {
        let report = try await Self.play(Self.story)
        #expect(report.steps[1].notes.count == 2)
        #expect(report.steps[1].notes[0].hasPrefix("sign-count (line 5) was not checked"))
        #expect(report.steps[1].notes[1] == "touches (line 5) was not checked: a real device does not report it")
        #expect(report.steps[7].notes.count == 1)
        let text = JUnitDocument([report]).xml
        #expect(text.contains("<system-out>sign-count (line 5) was not checked"))
    }

    /// Expectations that are checked on a real device.
    static let wrong = [
        "http: 500", "status: PIN_INVALID", "page: AbortError", "user-verified: true", "ledger: a9", "code: nothing",
        "client: client.timeout",
    ]

    @Test(arguments: wrong)
    func visibleObservationsAreChecked(check: String) async throws {
        let report = try await Self.play(
            "  - create-account: ada\n  - register\n  - sign-out\n  - sign-in: { expect: { \(check) } }\n")
        #expect(report.steps[3].mismatches.map(\.subject) == [String(check.prefix { $0 != ":" })])
    }

    @Test func theLedgerDetectsAForgedSignature() async throws {
        let report = try await Self.play(
            "  - create-account: ada\n  - register\n  - sign-out\n"
                + "  - sign-in: { expect: { outcome: refused, http: 401, ledger: a9 } }\n"
        ) { device, _ in try await device.arm(try .init(parsing: "signature")) }
        #expect(report.passed, "\(report.steps.map(\.mismatches)) \(report.steps.map(\.server))")
    }

    @Test func theUserIsToldWhatToDo() async throws {
        let terminal = Terminal()
        let report = try await Self.play(
            """
              - create-account: ada
              - register
              - sign-out
              - sign-in: { person: [no-match x 2, match] }

            """, devices: "key: security-key-bio", person: .here, told: terminal)
        #expect(report.passed, "\(report.steps.map(\.mismatches))")
        #expect(
            terminal.lines == [
                "key: touch the key",
                "key: show a finger that is not enrolled, 2 times, then show an enrolled finger",
            ])
    }

    @Test func aRemoteUserGetsNoInstructions() async throws {
        let terminal = Terminal()
        let report = try await Self.play(
            "  - create-account: ada\n  - register: { person: match }\n", devices: "key: security-key-bio",
            told: terminal)
        #expect(report.passed)
        #expect(terminal.lines.isEmpty)
        #expect(report.steps[1].notes == ["the user is not at this terminal and got no instruction for match"])
    }

    /// The user types the PIN of a key at the terminal; the scenario types that of a device elsewhere.
    @Test(arguments: [(RealDevice.UserPlace.here, "1234", "9999"), (.elsewhere, "9999", "1234")])
    func thePINComesFromTheUserOrTheScenario(person: RealDevice.UserPlace, typed: String, scripted: String) async throws
    {
        let report = try await Self.play(
            "  - create-account: ada\n"
                + "  - register: { user-verification: required, pin: \"\(scripted)\", expect: { user-verified: true } }\n",
            person: person, pin: typed
        ) { device, _ in
            let pins = PINClient(
                AuthenticatorClient(device.ctap), protocol: .two, randomBytes: SeededRandomSource(seed: 4).bytes)
            try await pins.setPIN("1234")
        }
        #expect(report.passed, "\(report.steps.map(\.mismatches))")
    }

    @Test func aRealAndASimulatedDevicePlayTogether() async throws {
        let report = try await Self.play(
            """
              - create-account: ada
              - register: { device: phone, person: match, expect: { prompts: 1 } }
              - register: { device: key }
              - enrol: { device: phone, template: second finger, expect: { enrolled: second finger } }
              - list-passkeys: { expect: { passkeys: 2 } }

            """, devices: "phone: pixel-fingerprint, key: security-key-pin")
        for step in report.steps { #expect(step.passed, "\(step.title): \(step.mismatches) \(step.server)") }
    }

    /// A step that cannot be played, and the reason.
    static let obstacles: [(step: String, person: RealDevice.UserPlace, says: String)] = [
        ("wait: 30 s", .elsewhere, "clock cannot be moved"),
        ("power-cycle", .elsewhere, "needs a simulated one"),
        ("enrol: finger", .elsewhere, "needs a simulated one"),
        ("unenrol", .elsewhere, "needs a simulated one"),
        ("sensor: absent", .elsewhere, "needs a simulated one"),
        ("unlock", .elsewhere, "needs a simulated one"),
        ("fault: signature", .elsewhere, "needs a simulated one"),
        ("no-faults", .elsewhere, "needs a simulated one"),
        ("snapshot: s\n  - register\n  - restore: s", .elsewhere, "needs a simulated one"),
        ("forget-passkey", .elsewhere, "needs a simulated one"),
        ("store-secret: token", .elsewhere, "needs a simulated one"),
        ("read-secret: token", .elsewhere, "needs a simulated one"),
        ("set-pin: \"1234\"", .elsewhere, "a scenario does not change its PIN"),
        ("change-pin: { from: \"1234\", to: \"5678\" }", .elsewhere, "a scenario does not change its PIN"),
        ("reset", .here, "a scenario does not change its PIN"),
        ("sign-in: { person: spoof }", .here, "key is a real key; spoof needs a simulated device"),
        ("sign-in: { person: cancel }", .here, "key is a real key; cancel needs a simulated device"),
        ("sign-in: { pin: [\"0000\", \"1234\"] }", .here, "wrong PINs use up its retries"),
    ]

    @Test(arguments: obstacles)
    func stepThatNeedsASimulationIsRefusedBeforeTheRun(
        step: String, person: RealDevice.UserPlace, says: String
    ) throws {
        let scenario = try Self.scenario("  - create-account: ada\n  - \(step)\n  - register\n")
        let error = #expect(throws: SourceError.self) { try scenario.checkPlayable(on: ["key": person]) }
        #expect(error?.file == "test.yaml")
        #expect(error?.line == 5)
        #expect(error?.message.contains(says) == true, "\(String(describing: error))")
        // With simulated devices alone it can be played.
        try scenario.checkPlayable(on: [:])
    }

    @Test func anUnknownDeviceIsRefused() throws {
        let error = #expect(throws: SourceError.self) {
            try Self.scenario("  - create-account: ada\n").checkPlayable(on: ["phone": .here])
        }
        #expect(error?.message == "there is no device \"phone\"; choose one of key")
    }
}
