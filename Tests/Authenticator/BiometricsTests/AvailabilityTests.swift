import Biometrics
import SampleGates
import Testing

@Suite("A sensor that cannot be used")
struct AvailabilityTests {
    static let refusals: [(SensorAvailability, GateFailure)] = [
        (.absent, .sensorAbsent), (.busy, .sensorBusy), (.failed, .sensorFailed),
        (.disabledByPolicy, .disabledByPolicy),
    ]
    static let failures: [(SensorAvailability, GateFailure)] = [
        (.absent, .sensorAbsent), (.busy, .sensorBusy), (.failed, .sensorFailed),
        (.disabledByPolicy, .disabledByPolicy),
    ]

    @Test("refuses a prompt with its own reason, and works again when it is available", arguments: refusals)
    func refuses(availability: SensorAvailability, refusal: GateFailure) {
        var gate = gate(.androidFingerprint)
        #expect(gate.setAvailability(availability, at: .zero).step == .changed)
        #expect(gate.begin(biometricOnly, at: .zero).step == .refused(refusal))
        _ = gate.setAvailability(.present, at: .zero)
        #expect(gate.begin(biometricOnly, at: .zero).step == .sensing(.fingerprint))
    }

    @Test("ends a prompt with its own reason, not counted", arguments: failures)
    func endsPrompt(availability: SensorAvailability, failure: GateFailure) {
        var gate = gate(.androidFingerprint)
        _ = gate.begin(biometricOnly, at: .zero)
        let event = gate.setAvailability(availability, at: .zero)
        #expect(event.step == .ended(.failed(failure)))
        #expect(!event.counted)
        #expect(gate.stage == .idle)
    }

    @Test("leads to the passcode, before a prompt and during one", arguments: refusals)
    func givesWay(availability: SensorAvailability, refusal: GateFailure) {
        var during = gate(.iOSFaceID)
        _ = during.begin(withCredential, at: .zero)
        #expect(during.setAvailability(availability, at: .zero).step == .deviceCredentialRequired)
        var before = gate(.iOSFaceID)
        _ = before.setAvailability(availability, at: .zero)
        let event = before.begin(withCredential, at: .zero)
        #expect(event.step == .deviceCredentialRequired)
        #expect(event.obstacle == refusal)
        _ = before.present(.cancelByUser, at: .zero)
        #expect(before.begin(biometricOnly, at: .zero).step == .refused(refusal))
    }

    @Test("a device without a sensor refuses, or asks for the passcode where allowed")
    func noSensor() {
        var key = UserVerificationGate(policy: .androidFingerprint, sensor: nil, deviceCredential: nil)
        #expect(key.begin(biometricOnly, at: .zero).step == .refused(.sensorAbsent))
        #expect(key.setAvailability(.present, at: .zero).step == .ignored)
        #expect(!key.isSupported)
        var phone = UserVerificationGate(
            policy: .iOSFaceID, sensor: nil, deviceCredential: DeviceCredential(kind: .passcode))
        #expect(phone.begin(withCredential, at: .zero).step == .deviceCredentialRequired)
        #expect(phone.isSupported)
    }

    @Test(
        "a sensor without templates refuses as not enrolled; a device without a passcode refuses as without a passcode")
    func nothingSetUp() {
        var android = gate(.androidFingerprint, templates: [])
        #expect(android.begin(withCredential, at: .zero).step == .refused(.notEnrolled))
        var phone = gate(.iOSFaceID, templates: [], credential: nil)
        #expect(phone.begin(biometricOnly, at: .zero).step == .refused(.notEnrolled))
        #expect(phone.begin(withCredential, at: .zero).step == .refused(.noDeviceCredential))
        _ = phone.setAvailability(.failed, at: .zero)
        #expect(phone.begin(withCredential, at: .zero).step == .refused(.sensorFailed))
    }

    @Test("configured means a template on an available sensor, or an allowed passcode")
    func configured() {
        #expect(gate(.androidFingerprint).isConfigured)
        #expect(!gate(.androidFingerprint, templates: []).isConfigured)
        #expect(gate(.iOSFaceID, templates: []).isConfigured)
        #expect(!gate(.iOSFaceID, templates: [], credential: nil).isConfigured)
    }

    @Test(
        "a busy or broken sensor stays configured; an absent or forbidden one does not",
        arguments: [
            (SensorAvailability.present, true, true), (.busy, true, true), (.failed, true, true),
            (.disabledByPolicy, false, true), (.absent, false, false),
        ])
    func configuredBySensor(availability: SensorAvailability, isConfigured: Bool, isSupported: Bool) {
        var gate = gate(.androidFingerprint)
        _ = gate.setAvailability(availability, at: .zero)
        #expect(gate.isConfigured == isConfigured)
        #expect(gate.isSupported == isSupported)
    }

    @Test("a lockout leaves the device configured")
    func lockedIsConfigured() {
        var gate = gate(.androidFace, .face, credential: nil)
        gate.fail(times: 20, at: .zero)
        #expect(gate.lockout(at: .zero) != .none)
        #expect(gate.isConfigured)
    }

    @Test("without a passcode a phone whose sensor needs one is not configured")
    func unprotectedIsNotConfigured() {
        #expect(gate(.iOSFaceID, .face).isConfigured)
        #expect(!gate(.iOSFaceID, .face, credential: nil).isConfigured)
    }
}
