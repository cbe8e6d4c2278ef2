import Biometrics

let alice = BiometricTemplate(id: [1], name: "Alice")
let bob = BiometricTemplate(id: [2], name: "Bob")
let withCredential = PromptOptions(allowsDeviceCredential: true)
let biometricOnly = PromptOptions(allowsDeviceCredential: false)

func gate(
    _ policy: GatePolicy, _ modality: BiometricModality = .fingerprint, templates: [BiometricTemplate] = [alice],
    credential: DeviceCredential.Kind? = .passcode
) -> UserVerificationGate {
    UserVerificationGate(
        policy: policy, sensor: BiometricSensor(modality: modality, templates: templates),
        deviceCredential: credential.map { DeviceCredential(kind: $0) })
}

extension UserVerificationGate {
    /// Fails this many times, in as many prompts without a credential as necessary; returns the last answer.
    @discardableResult
    mutating func fail(times: Int, at now: Duration) -> GateStep? {
        var last: GateStep?
        for _ in 0..<times {
            if stage == .idle {
                let step = begin(biometricOnly, at: now).step
                guard case .sensing = step else { return step }
            }
            if stage == .paused { _ = present(.tryAgain, at: now) }
            last = present(.nonMatch, at: now).step
            if stage == .stopped { last = present(.giveUp, at: now).step }
        }
        if stage != .idle { _ = present(.cancelByUser, at: now) }
        return last
    }

    /// The answers to these acts, in order.
    mutating func steps(_ acts: GateAct..., at now: Duration) -> [GateStep] {
        acts.map { present($0, at: now).step }
    }
}
