internal import CTAP
internal import Synchronization

/// The recorded answers of a real device, which does not report internal events.
final class RecordedAnswers: Sendable {
    struct Answer: Sendable {
        let command: CTAPCommand
        let status: CTAPStatus
    }

    private let answers = Mutex<[Answer]>([])

    @Sendable func note(_ message: [UInt8], _ result: Result<[UInt8], CTAPDeviceError>) {
        guard case .success(let response) = result, let command = message.first, let status = response.first else {
            return
        }
        answers.withLock {
            $0.append(Answer(command: CTAPCommand(rawValue: command), status: CTAPStatus(rawValue: status)))
        }
    }

    /// The answers since the last call.
    func drain() -> [Answer] {
        answers.withLock { answers in
            defer { answers = [] }
            return answers
        }
    }
}
