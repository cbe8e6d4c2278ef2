internal import Biometrics
package import CTAP
internal import SimulatedDevice
internal import Synchronization
package import WebAuthnClient

/// A device that is really there, in the place of one that a scenario would simulate.
package struct RealDevice: Sendable {
    /// Where its person is.
    package enum Person: Sendable {
        /// At this terminal: they are told what to do, and asked for their PIN.
        case here
        /// With a device elsewhere, as behind UDP: nobody is told anything, and the scenario types the PINs.
        case elsewhere
    }

    let ctap: any CTAPDevice
    let person: Person
    let environment: ClientEnvironment
    let tell: @Sendable (String) -> Void

    /// - Parameters:
    ///   - ctap: the opened device.
    ///   - person: where its person is.
    ///   - environment: what the client takes time, chance, PIN and account from.
    ///   - tell: tells the person what to do when the device waits for them.
    package init(
        ctap: any CTAPDevice, person: Person, environment: ClientEnvironment,
        tell: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.ctap = ctap
        self.person = person
        self.environment = environment
        self.tell = tell
    }
}

/// A real device whose answers are noted, since it does not tell what happens in it.
final class OverheardDevice: CTAPDevice {
    private let device: any CTAPDevice
    private let answers = Mutex<[(command: CTAPCommand, status: CTAPStatus)]>([])

    init(_ device: any CTAPDevice) {
        self.device = device
    }

    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        let answer = try await device.transceive(message, onKeepalive: onKeepalive)
        if let command = message.first, let status = answer.first {
            answers.withLock { $0.append((CTAPCommand(rawValue: command), CTAPStatus(rawValue: status))) }
        }
        return answer
    }

    /// What it answered since last asked.
    func drain() -> [(command: CTAPCommand, status: CTAPStatus)] {
        answers.withLock { answers in
            defer { answers = [] }
            return answers
        }
    }
}

extension PersonAct {
    /// What a person with a real key is told to do; nil for what nobody can do with one.
    var instruction: String? {
        switch self {
        case .touch: "touch the key"
        case .choose(let index): "take account \(index + 1)"
        case .gate(.match): "show an enrolled finger"
        case .gate(.nonMatch): "show a finger that is not enrolled"
        case .gate(.badCapture(let hint)) where !hint.isProgress: "show the tip of a finger only"
        case .gate(.noAnswer): "leave the key alone"
        case .gate, .touchBriefly, .sample: nil
        }
    }
}

extension ScenarioStep {
    /// What the person of a real device is told before the step.
    var instructions: String {
        guard !person.isEmpty else { return "touch the key" }
        var runs: [(instruction: String, count: Int)] = []
        for instruction in person.compactMap(\.instruction) {
            if let last = runs.indices.last, runs[last].instruction == instruction {
                runs[last].count += 1
            } else {
                runs.append((instruction, 1))
            }
        }
        return runs.map { $0.count == 1 ? $0.instruction : "\($0.instruction), \($0.count) times" }
            .joined(separator: ", then ")
    }
}
