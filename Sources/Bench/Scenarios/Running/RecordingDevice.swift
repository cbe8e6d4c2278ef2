internal import CTAP
internal import Synchronization

/// Records the answers of a real device, which does not report internal events.
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
