import Biometrics
import Foundation
import SampleGates
import Testing

/// Prompts of apps that accept the device credential too, or only the device credential.
@Suite("A prompt that the device credential may answer")
struct DeviceCredentialPromptTests {
    @Test("asks for nothing but the credential where biometrics are not allowed")
    func credentialOnly() {
        var gate = gate(.androidFingerprint)
        #expect(gate.begin(.deviceCredential, at: .zero).step == .deviceCredentialRequired)
        #expect(
            gate.steps(.match(), .nonMatch, .passcode(correct: false), .passcode(correct: true), at: .zero) == [
                .ignored, .ignored, .tryAgain(fallbackOffered: false), .ended(.verified(method: .deviceCredential)),
            ])
        #expect(gate.consecutiveFailures == 0)
    }

    @Test("does not open without a credential or with all retries used up")
    func credentialMissing() {
        var open = gate(.iOSFaceID, credential: nil)
        #expect(open.begin(.deviceCredential, at: .zero).step == .refused(.noDeviceCredential))
        var closed = gate(.iOSFaceID)
        _ = closed.exhaust(at: .zero)
        #expect(closed.begin(.deviceCredential, at: .zero).step == .refused(.lockedOutPermanently))
    }

    @Test("leads to the credential against the policy when the caller demands it")
    func demanded() {
        let policy = GatePolicy.androidFingerprint
        var locked = gate(policy)
        locked.fail(times: 5, at: .zero)
        #expect(locked.begin(withCredential, at: .zero).step == .refused(.lockedOut(until: .seconds(30))))
        #expect(locked.begin(.biometricOrDeviceCredential, at: .zero).step == .deviceCredentialRequired)
        var chosen = gate(policy)
        _ = chosen.begin(.biometricOrDeviceCredential, at: .zero)
        #expect(chosen.present(.fallback, at: .zero).step == .deviceCredentialRequired)
    }

    @Test("is read from a state of a version with one option")
    func former() throws {
        let options = try JSONDecoder().decode(
            PromptOptions.self, from: Data(#"{"allowsDeviceCredential":true}"#.utf8))
        #expect(options == PromptOptions(allowsDeviceCredential: true))
        let all = try JSONDecoder().decode(
            PromptOptions.self, from: try JSONEncoder().encode(PromptOptions.deviceCredential))
        #expect(all == .deviceCredential)
    }
}
