internal import Synchronization

/// Settings of a running server that a test changes.
package protocol ConditionSettings: Sendable {
    /// A setting that changed an answer.
    associatedtype Effect: Hashable & Sendable
}

/// Settings of a running server, which can change at any time.
package final class Conditions<Settings: ConditionSettings>: Sendable {
    private let settings: Mutex<Settings>
    private let effects = Mutex<Set<Settings.Effect>>([])

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

    /// Notes that a setting had an effect.
    package func note(_ effect: Settings.Effect) { effects.withLock { _ = $0.insert(effect) } }

    /// The effects since the last call.
    package func takeEffects() -> Set<Settings.Effect> {
        effects.withLock { effects in
            defer { effects = [] }
            return effects
        }
    }
}
