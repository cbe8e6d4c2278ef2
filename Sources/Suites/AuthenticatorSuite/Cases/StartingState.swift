internal import Biometrics
internal import CBOR
internal import CTAP
internal import Conformance
internal import SimulatedDevice
internal import VirtualAuthenticator

/// The state that the authenticator is in when a case begins.
enum StartingState: Sendable {
    case any
    /// No PIN and no finger.
    case noPIN
    /// A PIN that the bench knows, with all its retries.
    case pin
    /// As after a reset, and then with a PIN.
    case freshPIN
    /// Built-in user verification that is set up and has all its retries.
    case uv
    /// The same, and a PIN.
    case uvAndPIN
    /// The same without a PIN, which only a simulated device offers.
    case uvOnly

    var needs: [AuthenticatorNeed] {
        switch self {
        case .any: []
        case .noPIN, .pin, .freshPIN: [.option(.clientPin)]
        case .uv: [.builtInVerification]
        case .uvAndPIN: [.builtInVerification, .option(.clientPin)]
        case .uvOnly: [.option(.uv), .simulatedDevice]
        }
    }

    var effects: Set<CaseEffect> {
        switch self {
        case .any, .pin, .uv, .uvAndPIN: []
        case .noPIN, .freshPIN, .uvOnly: [.erases]
        }
    }

    var person: [ManualAct] { effects.isEmpty ? [] : .reset }
}

extension [ManualAct] {
    static let reset: Self = [.replug, .touch]
}

extension AuthenticatorBench {
    /// Resets the authenticator; the user answers, whatever the case planned.
    func takeBackSettings() async throws {
        await forgetPlannedActs()
        try await freshDevice()
    }

    /// Brings the authenticator into a state, by the shortest way.
    func begin(in start: StartingState) async throws {
        guard settings.comparison == nil else { return }
        switch start {
        case .any: break
        case .noPIN: try await unprotectedDevice()
        case .pin: try await ensureUsablePIN()
        case .freshPIN:
            try await freshDevice()
            try await ensurePIN()
        case .uv:
            if has(.clientPin) { try await ensureUsablePIN() }
            try await ensureFinger()
        case .uvAndPIN:
            try await ensureUsablePIN()
            try await ensureFinger()
        case .uvOnly:
            try await freshDevice()
            try await ensureFinger()
        }
    }

    /// Sets a PIN unless one is set, and presents it, which restores its retries.
    private func ensureUsablePIN() async throws {
        if try await readInfo().option(.clientPin) == true, pin == nil, mayChange {
            try await freshDevice()
        }
        try await ensurePIN()
        if info.forcePINChange == true { try await renewPIN() }
        if try await presentKnownPIN().status != .ok { try await renewPIN() }
    }

    private func renewPIN() async throws {
        try await freshDevice()
        try await ensurePIN()
    }

    /// Enrols a finger at a simulated device that has none.
    private func ensureFinger() async throws {
        if let device = try? simulatedDevice {
            try await device.authenticator.changeGate { gate, now throws(GateError) in
                guard gate.isConfigured else {
                    guard let modality = gate.sensor?.modality else { throw GateError.sensorAbsent }
                    return try gate.enrol(BiometricTemplate(id: [0x0F, 0x01], name: "case"), on: modality, at: now)
                }
                return gate.refill(at: now)
            }
        }
        guard try await readInfo().option(.uv) == true else { throw CaseStop.notRun("no finger is enrolled") }
    }
}
