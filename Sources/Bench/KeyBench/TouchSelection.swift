package import CTAP
internal import SecurityKeys

/// Finds out which of several keys the person means: the one that is touched.
package enum TouchSelection {
    /// Lets all of them wait for a touch and returns the first that is touched; the others are told to stop.
    ///
    /// - Parameters:
    ///   - onKeepalive: hears when a key waits for its person.
    /// - Throws: ``SecurityKeys/SecurityKeyError`` of the last key, when none of them can wait.
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
            throw failure ?? KeyBenchError.notThere("there is no key to touch")
        }
    }
}
