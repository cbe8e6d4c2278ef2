internal import Synchronization
package import VirtualAuthenticator

/// A device's events in order.
package final class EventLog: Sendable {
    private let events = Mutex<[AuthenticatorEvent]>([])
    private let capacity: Int
    private let onAppend: @Sendable (AuthenticatorEvent) -> Void

    /// A log that keeps the newest events, and passes each on as it happens.
    package init(capacity: Int = 10_000, onAppend: @escaping @Sendable (AuthenticatorEvent) -> Void = { _ in }) {
        self.capacity = capacity
        self.onAppend = onAppend
    }

    package func append(_ event: AuthenticatorEvent) {
        events.withLock { events in
            if events.count >= capacity { events.removeFirst(max(1, capacity / 10)) }
            events.append(event)
        }
        onAppend(event)
    }

    /// A closure that adds events with the current time.
    func recorder(_ time: any TimeSource) -> @Sendable (AuthenticatorEvent.Kind) -> Void {
        { self.append(AuthenticatorEvent(at: time.now(), kind: $0)) }
    }

    /// The events kept, oldest first.
    package var all: [AuthenticatorEvent] { events.withLock { $0 } }

    package func drain() -> [AuthenticatorEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
