internal import AppHost
internal import CTAP
internal import Synchronization
internal import VirtualAuthenticator

/// The watch over a device's prompts for its app, which exists before the device's user does.
final class AppWatch: Sendable {
    private let state = Mutex<PromptWatch?>(nil)

    /// The user whom the device asks, with the watch around them.
    func person(_ person: any User) -> any User {
        let watch = PromptWatch(person)
        state.withLock { $0 = watch }
        return watch
    }

    func hear(_ event: AuthenticatorEvent) { watch?.hear(event) }

    /// The watch; nil before the device has a user.
    var watch: PromptWatch? { state.withLock { $0 } }
}
