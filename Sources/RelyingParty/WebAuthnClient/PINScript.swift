internal import Synchronization

/// PINs a person will type, one after the other; afterwards they cancel.
package final class PINScript: Sendable {
    private let pins: Mutex<[String]>

    package init(_ texts: [String] = []) {
        pins = Mutex(texts)
    }

    /// Puts others in their place.
    package func willType(_ texts: [String]) {
        pins.withLock { $0 = texts }
    }

    /// What they type next.
    package func next() -> PINEntry {
        pins.withLock { $0.isEmpty ? .cancelled : .pin($0.removeFirst()) }
    }
}
