internal import Synchronization

/// Settings of a running server, which can change at any time.
package final class Conditions<Settings: Sendable>: Sendable {
    private let settings: Mutex<Settings>

    package init(_ settings: Settings) { self.settings = Mutex(settings) }

    package var current: Settings { settings.withLock { $0 } }

    /// - Returns: the settings after the change.
    @discardableResult
    package func change(_ edit: (inout Settings) -> Void) -> Settings {
        settings.withLock { settings in
            edit(&settings)
            return settings
        }
    }
}
