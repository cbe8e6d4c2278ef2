internal import Biometrics
internal import CBOR
internal import CTAP
internal import Conformance
internal import SimulatedDevice
internal import VirtualAuthenticator

/// The state that the authenticator is in when a case begins.
enum StartingState: Sendable {
    /// Any state.
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

    var person: [Conformance.PersonAct] { effects.isEmpty ? [] : .reset }
}

extension [Conformance.PersonAct] {
    /// What a reset takes.
    static let reset: Self = [.replug, .touch]
}

typealias AuthenticatorCase = AuthenticatorSuite.Case

extension ConformanceCase where Bench == AuthenticatorBench {
    /// A case whose steps are a platform's, from a state of the authenticator.
    ///
    /// A case that changes settings ends with a reset, whatever its verdict is.
    init(
        _ id: String, _ title: String, _ clause: Clause, level: Level = .must, from start: StartingState = .any,
        needs: [AuthenticatorNeed] = [], effects: Set<CaseEffect> = [], person: [Conformance.PersonAct] = [],
        steps: @escaping @Sendable (Platform) async throws -> Void
    ) {
        let resets = effects.contains(.changesSettings)
        let all = effects.union(start.effects).union(resets ? [.erases] : [])
        self.init(
            id, title, clause, level: level, needs: start.needs + (all.contains(.erases) ? [.reset] : []) + needs,
            effects: all, person: start.person + person + (resets ? .reset : [])
        ) { bench, recorder in
            let platform = Platform(bench: bench, recorder: recorder)
            try await platform.begin(in: start)
            guard resets else { return try await steps(platform) }
            do {
                try await steps(platform)
            } catch {
                try await platform.takeBackSettings()
                throw error
            }
            try await platform.takeBackSettings()
        }
    }
}

extension Platform {
    /// Resets the authenticator; the user answers, whatever the case planned.
    fileprivate func takeBackSettings() async throws {
        await bench.forgetPlannedActs()
        try await bench.freshDevice()
    }

    /// Brings the authenticator into a state, by the shortest way.
    func begin(in start: StartingState) async throws {
        switch start {
        case .any: break
        case .noPIN: try await bench.unprotectedDevice()
        case .pin: try await ensureUsablePIN()
        case .freshPIN:
            try await bench.freshDevice()
            try await bench.ensurePIN()
        case .uv:
            if bench.has(.clientPin) { try await ensureUsablePIN() }
            try await ensureFinger()
        case .uvAndPIN:
            try await ensureUsablePIN()
            try await ensureFinger()
        case .uvOnly:
            try await bench.freshDevice()
            try await ensureFinger()
        }
    }

    /// Sets a PIN unless one is set, and presents it, which restores its retries.
    private func ensureUsablePIN() async throws {
        if try await information().option(.clientPin) == true, bench.pin == nil, bench.mayChange {
            try await bench.freshDevice()
        }
        try await bench.ensurePIN()
        if bench.info.forcePINChange == true { try await renewPIN() }
        var answer = try await present(try pin)
        if answer.status == .pinAuthBlocked {
            try await bench.powerCycle()
            answer = try await present(try pin)
        }
        if answer.status != .ok { try await renewPIN() }
    }

    private func renewPIN() async throws {
        try await bench.freshDevice()
        try await bench.ensurePIN()
    }

    /// Enrols a finger at a simulated device that has none.
    private func ensureFinger() async throws {
        if let device = try? bench.simulatedDevice {
            try await device.authenticator.changeGate { gate, now throws(GateError) in
                guard gate.isConfigured else {
                    guard let modality = gate.sensor?.modality else { throw GateError.sensorAbsent }
                    return try gate.enrol(BiometricTemplate(id: [0x0F, 0x01], name: "case"), on: modality, at: now)
                }
                return gate.refill(at: now)
            }
        }
        guard try await information().option(.uv) == true else { throw CaseStop.notRun("no finger is enrolled") }
    }
}
