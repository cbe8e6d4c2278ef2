internal import Biometrics
package import CTAP
internal import SimulatedDevice
internal import Synchronization
package import WebAuthnClient

/// A real device in the place of one that a scenario would simulate.
package struct RealDevice: Sendable {
    /// The place of its user.
    package enum Person: Sendable {
        /// At this terminal: the user is told what to do, and asked for the PIN.
        case here
        /// Elsewhere, as behind UDP: the user is told nothing, and the scenario types the PINs.
        case elsewhere
    }

    let ctap: any CTAPDevice
    let person: Person
    let environment: ClientEnvironment
    let tell: @Sendable (String) -> Void

    /// - Parameters:
    ///   - ctap: the opened device.
    ///   - person: where its user is.
    ///   - environment: the source of the client's time, randomness, PIN and choice of account.
    ///   - tell: tells the user what to do while the device waits for them.
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

/// Records the answers of a real device, which does not tell what happens in it.
final class RecordingDevice: CTAPDevice {
    /// A command and the status it was answered with.
    struct Answer: Sendable {
        let command: CTAPCommand
        let status: CTAPStatus
    }

    private let device: any CTAPDevice
    private let answers = Mutex<[Answer]>([])

    init(_ device: any CTAPDevice) {
        self.device = device
    }

    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        let response = try await device.transceive(message, onKeepalive: onKeepalive)
        if let command = message.first, let status = response.first {
            answers.withLock {
                $0.append(Answer(command: CTAPCommand(rawValue: command), status: CTAPStatus(rawValue: status)))
            }
        }
        return response
    }

    /// The answers since the last call.
    func drain() -> [Answer] {
        answers.withLock { answers in
            defer { answers = [] }
            return answers
        }
    }
}

extension PersonAct {
    /// The instruction to the user of a real key; nil for an act that is impossible with one.
    var instruction: String? {
        switch self {
        case .touch: "touch the key"
        case .choose(let index): "take account \(index + 1)"
        case .gate(.sample(.match, nil)): "show an enrolled finger"
        case .gate(.sample(.nonMatch, nil)): "show a finger that is not enrolled"
        case .gate(.sample(.badCapture(let hint), nil)) where !hint.isProgress: "show the tip of a finger only"
        case .gate(.noAnswer): "leave the key alone"
        case .gate, .touchBriefly, .sample: nil
        }
    }
}

extension ScenarioStep {
    /// The instructions to the user of a real device before the step.
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
