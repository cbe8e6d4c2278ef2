internal import Synchronization

/// An advert on the air.
package final class AdvertBroadcast: Sendable {
    private let ending: Mutex<(@Sendable () async -> Void)?>

    /// - Parameter ending: takes the advert off the air; it runs once.
    package init(ending: @escaping @Sendable () async -> Void) {
        self.ending = Mutex(ending)
    }

    /// Takes the advert off the air; a second call does nothing.
    package func end() async {
        let ending = ending.withLock { ending in
            defer { ending = nil }
            return ending
        }
        await ending?()
    }
}
