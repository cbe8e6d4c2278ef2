internal import Synchronization
package import WebAuthnClient

/// A list of PINs to enter, one after the other; afterwards the user cancels.
package final class PINScript: Sendable {
    private let pins: Mutex<[String]>

    package init(_ texts: [String] = []) { pins = Mutex(texts) }

    /// Replaces the remaining PINs.
    package func willType(_ texts: [String]) { pins.withLock { $0 = texts } }

    package func next() -> PINEntry { pins.withLock { $0.isEmpty ? .cancelled : .pin($0.removeFirst()) } }

    /// The number of PINs that were not asked for.
    package var count: Int { pins.withLock { $0.count } }
}
