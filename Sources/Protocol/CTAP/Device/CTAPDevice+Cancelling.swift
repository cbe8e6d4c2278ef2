internal import Synchronization

extension CTAPDevice {
    /// Sends one request, and cancels it when the device waits for the user, if `cancels`.
    package func transceive(
        _ message: [UInt8], cancellingAtTouch cancels: Bool,
        onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        guard cancels else { return try await transceive(message, onKeepalive: onKeepalive) }
        let request = CancellableRequest()
        let task = Task { () -> Result<[UInt8], CTAPDeviceError> in
            do throws(CTAPDeviceError) {
                return .success(
                    try await transceive(message) { status in
                        onKeepalive(status)
                        if status == .userPresenceNeeded { request.cancel() }
                    })
            } catch {
                return .failure(error)
            }
        }
        request.belongs(to: task)
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }
}

/// A request that its own keepalive may cancel before its task is known.
private final class CancellableRequest: Sendable {
    private typealias Exchange = Task<Result<[UInt8], CTAPDeviceError>, Never>

    private let state = Mutex<(isCancelled: Bool, task: Exchange?)>((false, nil))

    func belongs(to task: Task<Result<[UInt8], CTAPDeviceError>, Never>) {
        let isLate = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isLate { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
