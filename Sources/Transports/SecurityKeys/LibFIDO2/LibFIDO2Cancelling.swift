internal import Synchronization

/// Cancels a call of libfido2 until the call ends.
///
/// A key ignores a CTAPHID_CANCEL that arrives before the request (CTAP 2.3 §11.2.9.1.5), and libfido2 does not tell when
/// it sends the request. So a cancellation is repeated.
final class LibFIDO2Cancelling: Sendable {
    /// The time between two cancellations of one call.
    private static let pause = Duration.milliseconds(100)

    private let device: LibFIDO2Device
    private let hasEnded = Mutex(false)

    init(_ device: LibFIDO2Device) { self.device = device }

    /// Cancels the call now, and again while it runs.
    func begin() {
        guard cancel() else { return }
        Task { [self] in
            repeat { try await Task.sleep(for: Self.pause) } while cancel()
        }
    }

    /// Notes the end of the call: a later CTAPHID_CANCEL would concern the next one.
    func end() { hasEnded.withLock { $0 = true } }

    /// - Returns: whether the call still runs.
    private func cancel() -> Bool {
        hasEnded.withLock { hasEnded in
            if !hasEnded { try? device.cancel() }
            return !hasEnded
        }
    }
}
