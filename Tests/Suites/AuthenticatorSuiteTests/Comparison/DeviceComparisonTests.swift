import AuthenticatorSuite
import CTAP
import Conformance
import KnownKeys
import SimulatedDevice
import Synchronization
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

/// Comparison of devices: equal devices do not differ, and every difference of others is found.
struct DeviceComparisonTests {
    @Test(arguments: Ring.sample(ShippedProfiles.names, 8))
    func twoDevicesOfOneKindDoNotDiffer(profile: String) async throws {
        let comparison = try await ComparedDevices.compare(
            ComparedDevices.device(profile, seed: 1), ComparedDevices.device(profile, seed: 2))
        #expect(comparison.different == [:])
        #expect(comparison.rows.count > 40)
    }

    @Test func configurationCountsAsState() async throws {
        let (plain, used) = (
            try await ComparedDevices.device("security-key-pin"), try await ComparedDevices.device("security-key-pin")
        )
        let pins = PINClient(
            AuthenticatorClient(used.ctap), protocol: .two, randomBytes: SeededRandomSource(seed: 3).bytes)
        try await pins.setPIN("1234")
        _ = try? await pins.token(pin: "4321", permissions: nil, relyingPartyID: nil)
        let comparison = try await ComparedDevices.compare(plain, used, touching: false)
        let state = comparison.rows.filter { $0.verdict == .state }
        #expect(state.contains { $0.name == "getInfo.options.clientPin" && $0.values == ["false", "true"] })
        #expect(state.contains { $0.name == "clientPIN.pinRetries" && $0.values == ["8", "7"] })
        #expect(comparison.different == [:])
    }

    /// A key, and the settings of one of two such keys.
    static let settings: [(profile: String, setting: AuthenticatorConfigSubcommand?)] = [
        ("yubikey-5-nfc-5.7", nil), ("yubikey-5-nfc-5.7", .toggleAlwaysUv), ("security-key-complete", nil),
        ("security-key-complete", .toggleAlwaysUv), ("yubikey-bio-5.7", .toggleAlwaysUv), ("solo-2", nil),
        ("yubikey-5-nfc-5.4", nil),
    ]

    @Test(arguments: settings)
    func answersThatDependOnAPINOrASettingAreNotComparable(
        profile: String, setting: AuthenticatorConfigSubcommand?
    ) async throws {
        let (plain, used) = (try await ComparedDevices.device(profile), try await ComparedDevices.device(profile))
        let client = AuthenticatorClient(used.ctap)
        let pins = PINClient(client, protocol: .one, randomBytes: SeededRandomSource(seed: 3).bytes)
        try await pins.setPIN("73918462")
        if setting == .toggleAlwaysUv {
            let token = try await pins.token(
                pin: "73918462", permissions: .authenticatorConfiguration, relyingPartyID: nil)
            try await AuthenticatorConfigClient(client, token: token).toggleAlwaysUV()
        }
        let comparison = try await ComparedDevices.compare(plain, used)
        #expect(comparison.different == [:])
        let rows = comparison.rows.filter { $0.verdict == .notComparable }
        #expect(rows.isEmpty == comparison.states.isEmpty)
        guard profile == "yubikey-5-nfc-5.7" else { return }
        #expect(rows.contains { $0.name.hasPrefix("clientPIN.retries") }, "\(rows.map(\.name))")
        #expect(comparison.states.first?.values == ["no PIN", "a PIN"])
    }

    @Test func aFaultOfAKeyInAnotherStateStaysADifference() async throws {
        let used = try await ComparedDevices.device("security-key-pin", faults: ["status:OTHER on GetAssertion"])
        let pins = PINClient(
            AuthenticatorClient(used.ctap), protocol: .two, randomBytes: SeededRandomSource(seed: 3).bytes)
        try await pins.setPIN("1234")
        let comparison = try await ComparedDevices.compare(ComparedDevices.device("security-key-pin"), used)
        #expect(comparison.different["getAssertion.missing.rpId"]?.last?.contains("OTHER (0x7F)") == true)
    }

    @Test func twoFirmwaresDifferWhereTheirProfilesDiffer() async throws {
        let comparison = try await ComparedDevices.compare(
            ComparedDevices.device("yubikey-5-nfc-5.4"), ComparedDevices.device("yubikey-5-nfc-5.7"))
        let different = comparison.different
        #expect(different["getInfo.versions.FIDO_2_1"] == ["not listed", "listed"])
        #expect(different["getInfo.firmwareVersion"] != nil)
        #expect(different["getInfo.extensions.largeBlobKey"] == ["not listed", "listed"])
        #expect(different["getInfo.options.credMgmt"] == ["absent", "true"])
        #expect(different["getInfo.options.plat"] == nil)
    }

    /// A fault, the row that shows it, and the text of that row.
    static let faults: [(fault: String, row: String, value: String)] = [
        ("status:OTHER on GetAssertion", "getAssertion.missing.rpId", "OTHER (0x7F)"),
        (
            "status-swapped:MISSING_PARAMETER=INVALID_PARAMETER", "getAssertion.missing.clientDataHash",
            "INVALID_PARAMETER (0x02)"
        ),
        ("members-reordered on GetInfo", "getInfo.map", "OK (0x00), but map keys are not in canonical order"),
        ("response-trailing-byte on GetInfo", "getInfo.map", "OK (0x00), but bytes follow the item"),
        ("member-extra on GetAssertion", "getAssertion.silent.signs", "0x7E: \"touchstone\""),
        ("signature", "getAssertion.algorithm.ES256", "bytes that do not verify"),
    ]

    @Test(arguments: faults)
    func aFaultyDeviceDiffers(fault: String, row: String, value: String) async throws {
        let comparison = try await ComparedDevices.compare(
            ComparedDevices.device("security-key-pin"), ComparedDevices.device("security-key-pin", faults: [fault]))
        #expect(comparison.different[row]?.last?.contains(value) == true, "\(comparison.different)")
    }

    @Test func aComparisonLeavesNothingOnTheDeviceAndUsesNoRetry() async throws {
        let device = try await ComparedDevices.device("security-key-complete")
        let before = await device.authenticator.snapshot()
        let state = try await device.authenticator.exportState()
        _ = try await ComparedDevices.answers(of: device.ctap(over: .usb), touching: false)
        #expect(try await device.authenticator.exportState() == state)
        _ = try await ComparedDevices.answers(of: device.ctap(over: .usb), touching: true)
        let after = await device.authenticator.snapshot()
        #expect(after.credentials.isEmpty)
        #expect(after.pinRetries == before.pinRetries)
        #expect(after.uvRetries == before.uvRetries)
    }

    /// 0x40 and above belong to vendors, but for the previews of a device that lists them (CTAP 2.3 §8.1).
    @Test(arguments: [("security-key-pin", false), ("yubikey-5-nfc-5.4", true)])
    func aComparisonSendsNoVendorCommand(profile: String, listsPreview: Bool) async throws {
        let answers = try await ComparedDevices.answers(of: ComparedDevices.device(profile).ctap)
        let commands = Set(answers.messages.compactMap(\.first).filter { $0 >= 0x40 })
        #expect(commands == (listsPreview ? [CTAPCommand.credentialManagementPreview.rawValue] : []))
    }

    @Test(arguments: ["iphone-face-id", "pixel-fingerprint"])
    func aComparisonLeavesNoCredentialOnABuiltInDevice(profile: String) async throws {
        let device = try await ComparedDevices.device(profile)
        _ = try await ComparedDevices.answers(of: device.ctap(over: .internal))
        #expect(await device.authenticator.snapshot().credentials.isEmpty)
    }

    @Test func aRequestForAnUnneededTouchIsCancelled() async throws {
        let answers = try await ComparedDevices.answers(of: TouchyDevice(), touching: false)
        // The device asks once for each request; otherwise the user would have to touch it.
        #expect(answers.sides["getAssertion.missing.rpId"]?.answers == ["asks for a touch"])
    }

    @Test func anUnpluggedDeviceIsNamedWithTheRequest() async throws {
        let error = await #expect(throws: DeviceAnswers.Failure.self) {
            _ = try await ComparedDevices.answers(of: DeviceUntil(request: 3))
        }
        #expect(error?.id == "general.unassigned.0x03")
        #expect(error?.error == .disconnected("it was unplugged"))
    }

    @Test func aComparisonThatIsCancelledDuringATouchEnds() async throws {
        let (waits, wait) = AsyncStream.makeStream(of: Void.self)
        let comparison = Task {
            try await DeviceAnswers.collect(
                from: PatientDevice(), touching: true, now: { .zero },
                onKeepalive: { if $0 == .userPresenceNeeded { wait.yield() } })
        }
        for await _ in waits { break }
        comparison.cancel()
        await #expect(throws: CancellationError.self) { try await comparison.value }
    }

    @Test func mediansAreComparedWithTheFirstDevices() async throws {
        var answers: [(device: String, answers: DeviceAnswers)] = []
        for (name, step) in [("quick", Duration.milliseconds(2)), ("slow", .milliseconds(6))] {
            let clock = SteppingClock(step: step)
            let device = try await ComparedDevices.device("security-key-pin")
            answers.append((name, try await DeviceAnswers.collect(from: device.ctap, now: clock.now)))
        }
        let comparison = DeviceComparison(answers)
        let timing = try #require(comparison.timings.first { $0.name == "GetInfo" })
        #expect(timing.milliseconds == [2, 6])
        #expect(timing.ratios == [1, 3])
        #expect(comparison.differenceCount == 0)
    }
}

/// Refuses everything but a selection, which waits until it is cancelled.
private struct PatientDevice: CTAPDevice {
    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        guard message.first == CTAPCommand.selection.rawValue else { return [CTAPStatus.invalidCommand.rawValue] }
        onKeepalive(.userPresenceNeeded)
        for await _ in AsyncStream<Never>.makeStream().stream {}
        return [CTAPStatus.keepaliveCancel.rawValue]
    }
}

/// Answers assertions only after a touch, and waits until it is cancelled.
private struct TouchyDevice: CTAPDevice {
    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        guard message.first == CTAPCommand.getAssertion.rawValue else { return [CTAPStatus.invalidCommand.rawValue] }
        onKeepalive(.userPresenceNeeded)
        for await _ in AsyncStream<Never>.makeStream().stream {}
        return [CTAPStatus.keepaliveCancel.rawValue]
    }
}

/// Answers a number of requests, then disconnects.
private final class DeviceUntil: CTAPDevice {
    private let left: Mutex<Int>

    init(request: Int) {
        left = Mutex(request - 1)
    }

    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        let isThere = left.withLock { left in
            left -= 1
            return left >= 0
        }
        guard isThere else { throw .disconnected("it was unplugged") }
        return [CTAPStatus.invalidCommand.rawValue]
    }
}

/// A clock that advances by a span with each reading.
private final class SteppingClock: Sendable {
    private let time = Mutex(Duration.zero)
    private let step: Duration

    init(step: Duration) {
        self.step = step
    }

    @Sendable func now() -> Duration {
        time.withLock { time in
            time += step
            return time
        }
    }
}
