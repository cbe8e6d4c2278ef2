import CBOR
import CTAP
import Faults
import Synchronization
import Testing
import VirtualAuthenticator

@Suite("Faults of CTAP messages") struct CTAPFaultTests {
    private let clock = SimulatedClock()
    private let authenticator: VirtualAuthenticator
    private let faults: CTAPFaults
    private let device: any CTAPDevice

    init() {
        let clock = clock
        authenticator = VirtualAuthenticator(
            configuration: AuthenticatorConfiguration(),
            environment: Environment(time: clock, random: SeededRandomSource(seed: 1), user: ConsentingUser()))
        faults = CTAPFaults(wait: { clock.advance(by: $0) })
        device = faults.changing(authenticator)
    }

    private func arm(_ text: String, times: Int? = nil) throws {
        guard case .ctap(let fault) = try Fault(parsing: text).change else {
            Issue.record("\(text) is not a fault of CTAP")
            return
        }
        faults.arm(fault, times: times)
    }

    @Test(
        "A client that checks its answers refuses a broken one",
        arguments: [
            "nested-reordered", "response-empty", "member-missing", "members-reordered", "non-canonical", "wrong-type",
            "response-trailing-byte", "response-truncated", "response-not-cbor",
        ])
    func brokenAnswersAreRefused(name: String) async throws {
        try arm(name)
        await #expect {
            try await AuthenticatorClient(device).getInfo()
        } throws: { error in
            if case .invalidResponse(.getInfo, _)? = error as? AuthenticatorClient.Failure { true } else { false }
        }
        faults.clear()
        _ = try await AuthenticatorClient(device).getInfo()
    }

    @Test func undefinedMemberIsIgnored() async throws {
        try arm("member-extra")
        let honest = try await AuthenticatorClient(authenticator).getInfo()
        #expect(try await AuthenticatorClient(device).getInfo() == honest)
        let answer = try await device.transceive([CTAPCommand.getInfo.rawValue])
        guard case .map(let map) = try CBOR.decode(Array(answer.dropFirst())) else {
            Issue.record("no map")
            return
        }
        #expect(map[0x7E] == "touchstone")
    }

    @Test("A status replaces the response", arguments: [("status:KEY_STORE_FULL", 0x28), ("status:0xF1", 0xF1)])
    func statusReplacesTheResponse(text: String, status: UInt8) async throws {
        try arm(text)
        #expect(try await device.transceive([CTAPCommand.getInfo.rawValue]) == [status])
    }

    @Test func faultForOneCommandDoesNotChangeOthers() async throws {
        try arm("status:OTHER on Selection", times: 1)
        _ = try await AuthenticatorClient(device).getInfo()
        #expect(try await device.transceive([CTAPCommand.selection.rawValue]) == [0x7F])
        #expect(try await device.transceive([CTAPCommand.selection.rawValue]) == [0x00])
        #expect(faults.armed.isEmpty)
    }

    @Test func refusalReachesNeitherAuthenticatorNorUser() async throws {
        try arm("refused:MISSING_PARAMETER on Selection")
        #expect(try await device.transceive([CTAPCommand.selection.rawValue]) == [0x14])
        faults.clear()
        try arm("status-swapped:OK=OTHER on Selection")
        #expect(try await device.transceive([CTAPCommand.selection.rawValue]) == [0x7F])
    }

    @Test func conditionSelectsRequests() async throws {
        func answer(_ parameters: CBOR.Value) async throws -> UInt8? {
            try await device.transceive([CTAPCommand.getAssertion.rawValue] + CBOR.encode(parameters)).first
        }
        try arm("status:OTHER on GetAssertion where 0x07=2")
        try arm("status:LIMIT_EXCEEDED on GetAssertion where 6=empty")
        #expect(try await answer([0x07: 2]) == 0x7F)
        #expect(try await answer([0x07: 1]) == 0x14)
        #expect(try await answer([0x06: .bytes([])]) == 0x15)
        #expect(try await answer([0x06: .bytes([1])]) == 0x14)
    }

    @Test func lateResponseTakesTimeOnTheDevicesClock() async throws {
        try arm("late:2.5")
        let start = clock.now()
        _ = try await AuthenticatorClient(device).getInfo()
        #expect(clock.now() - start == .seconds(2.5))
    }

    @Test func eventsNameTheFaultAndTheSentStatus() async throws {
        let events = Mutex<[AuthenticatorEvent.Kind]>([])
        let faults = CTAPFaults(wait: { _ in }, record: { kind in events.withLock { $0.append(kind) } })
        let device = faults.changing(authenticator)
        guard case .ctap(let fault) = try Fault(parsing: "status:KEY_STORE_FULL on GetInfo").change else { return }
        faults.arm(fault)
        _ = try await device.transceive([CTAPCommand.getInfo.rawValue])
        _ = try await device.transceive([CTAPCommand.selection.rawValue])
        let seen = events.withLock { $0 }
        try #require(seen.count == 2)
        #expect(seen[0] == .faultApplied("status:KEY_STORE_FULL on GetInfo"))
        guard case .answer(.getInfo, .keyStoreFull, let refusal?) = seen[1] else {
            Issue.record("\(seen[1])")
            return
        }
        #expect(refusal.reason.label == "fault.status")
    }

    @Test(
        "A fault's description is its syntax",
        arguments: [
            "status:KEY_STORE_FULL on MakeCredential", "refused:0xF1", "late:2.5", "silent on GetAssertion where 7=2",
            "status-swapped:PIN_INVALID=PIN_AUTH_INVALID on MakeCredential where 8=empty",
            "member-missing on CredentialManagementPreview",
        ])
    func spelling(text: String) throws {
        guard case .ctap(let fault) = try Fault(parsing: text).change else { return }
        #expect(fault.spelling == text)
    }

    @Test func clearingFaultsEndsASilence() async throws {
        let (asked, asking) = AsyncStream.makeStream(of: Void.self)
        let faults = CTAPFaults(wait: { _ in
            asking.yield()
            await Task.yield()
        })
        let device = faults.changing(authenticator)
        guard case .ctap(let silent) = try Fault(parsing: "silent").change else { return }
        faults.arm(silent)
        let answer = Task { try await device.transceive([CTAPCommand.getInfo.rawValue]) }
        for await _ in asked { break }
        faults.clear()
        #expect(try await answer.value.first == 0x00)
    }

    @Test func silentDeviceTimesOut() async throws {
        try arm("silent")
        await #expect(throws: CTAPDeviceError.self) { try await device.transceive([CTAPCommand.getInfo.rawValue]) }
    }

    @Test(
        "A syntax error names the expected form",
        arguments: [
            ("", "expected a fault's name"), ("counter-stick", "did you mean counter-stuck?"),
            ("xyz", "run `touchstone faults list`"),
            ("counter-stuck on GetInfo", "takes neither a value nor a command"), ("status", "needs a status"),
            ("status:NO", "found \"NO\""), ("late:-1", "needs seconds"), ("late:soon", "needs seconds"),
            ("silent:1", "takes no value"), ("silent on Nothing", "is not a command"),
            ("silent at once", "expected a fault"), ("status-swapped:OK", "needs two statuses"),
            ("status-swapped:OK=NO", "needs a status"), ("refused", "needs a status"),
            ("silent on Selection where 1", "expected a parameter's key"),
            ("silent on Selection where 0x08=full", "expected a parameter's key"),
            ("silent on Selection when 1=1", "expected a fault"), ("packet-dropped:0", "needs a number"),
            ("packet-dropped on GetInfo", "is a transport fault and takes no command"),
            ("hid-error:NO", "needs one of"),
            ("command-wrong:NO", "needs one of"), ("slow:-1", "needs seconds"), ("stray-packet:1", "takes no value"),
        ])
    func badSyntaxIsExplained(text: String, says: String) {
        #expect {
            try Fault(parsing: text)
        } throws: { error in
            "\(error)".contains(says)
        }
    }

    @Test func everyFaultOfTheCatalogueCanBeRead() throws {
        for description in Fault.catalogue {
            let argument =
                switch description.name {
                case "status", "refused": ":OTHER"
                case "status-swapped": ":OK=OTHER"
                default: ""
                }
            _ = try Fault(parsing: description.name + argument)
        }
        #expect(Set(Fault.catalogue.map(\.name)).count == Fault.catalogue.count)
    }
}
