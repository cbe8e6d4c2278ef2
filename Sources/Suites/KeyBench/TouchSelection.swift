package import CTAP
internal import SecurityKeys

/// Lets the user choose one of several keys by touching it.
package enum TouchSelection {
    /// Waits for a touch on all keys, returns the first that is touched, and cancels the others.
    ///
    /// - Parameter onKeepalive: is called when a key waits for the user.
    /// - Throws: ``SecurityKeys/SecurityKeyError`` of the last key when every key failed.
    package static func select(
        among devices: [BenchDevice], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void = { _ in }
    ) async throws -> BenchDevice {
        try await withThrowingTaskGroup(of: Result<BenchDevice, any Error>.self) { group in
            for device in devices {
                group.addTask {
                    do {
                        try await device.withKey(by: .libfido2, onKeepalive: onKeepalive) { key in
                            try await key.waitForTouch()
                        }
                        return .success(device)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            var failure: (any Error)?
            for try await result in group {
                switch result {
                case .success(let device):
                    group.cancelAll()
                    return device
                case .failure(let error): failure = error
                }
            }
            throw failure ?? KeyBenchError.notFound("there is no key to choose from; plug one in")
        }
    }
}
