internal import SimulatedDevice
internal import Synchronization

/// An event of a device, with its place in the order of all events.
struct EventRecord: Hashable, Sendable, Codable {
    /// Counts up over all devices of this server, from 1.
    let id: Int
    let device: String
    let event: EventDescription
}

/// The newest events of all devices, for polling and waiting readers.
///
/// Each reader keeps its own position; a reader that falls behind the kept events gets the number of missed events.
final class EventJournal: Sendable {
    /// The source of events: one device while it runs; a later device of the same name is another source.
    struct Source: Hashable, Sendable {
        fileprivate let number: Int
        let device: String
        /// The ID of the last event before its first.
        let precedingID: Int
    }

    struct Filter: Hashable, Sendable {
        /// The device; nil for all devices.
        let source: Source?
        /// The ID of the last event before the first wanted one.
        var after: Int

        init(_ source: Source? = nil, after: Int = 0) {
            self.source = source
            self.after = max(after, source?.precedingID ?? 0)
        }
    }

    /// A waiting reader: its stream signals that there may be new events, and ends with the device or the server.
    struct Subscription: Sendable {
        let number: Int
        let wakes: AsyncStream<Void>
    }

    fileprivate struct State {
        /// The kept events; their IDs have no gaps.
        var records: [(record: EventRecord, source: Source)] = []
        var lastID = 0
        var lastSource = 0
        /// The sources that have not ended.
        var sources: Set<Source> = []
        var nextSubscription = 0
        var subscribers: [Int: (source: Source?, wake: AsyncStream<Void>.Continuation)] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Begins a source; ``end(_:)`` ends it.
    func begin(_ device: String) -> Source {
        state.withLock { state in
            state.lastSource += 1
            let source = Source(number: state.lastSource, device: device, precedingID: state.lastID)
            state.sources.insert(source)
            return source
        }
    }

    func append(_ event: EventDescription, of source: Source) {
        state.withLock { state in
            if state.records.count >= capacity { state.records.removeFirst(max(1, capacity / 10)) }
            state.lastID += 1
            state.records.append((EventRecord(id: state.lastID, device: source.device, event: event), source))
            state.wake { $0 == nil || $0 == source }
        }
    }

    /// Reads the first events that match a filter.
    ///
    /// - Returns: at most `limit` events; the number of earlier events, of any device, that are not kept any more; and
    ///   the ID up to which the reader has then seen all matching events.
    func read(_ filter: Filter, limit: Int) -> (records: [EventRecord], missed: Int, seen: Int) {
        state.withLock { state in
            // An ID from an earlier run of the server counts as the newest event's.
            let after = min(filter.after, state.lastID)
            let oldest = state.records.first?.record.id ?? state.lastID + 1
            let missed = max(0, oldest - after - 1)
            var found: [EventRecord] = []
            var seen = state.lastID
            for (record, source) in state.records[max(0, after + 1 - oldest)...]
            where filter.source == nil || source == filter.source {
                if found.count == limit {
                    seen = found.last?.id ?? seen
                    break
                }
                found.append(record)
            }
            return (found, missed, seen)
        }
    }

    func subscribe(to source: Source?) -> Subscription {
        // One pending wake is enough, so a slow reader takes no memory.
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.nextSubscription += 1
            if state.isClosed || source.map({ !state.sources.contains($0) }) ?? false {
                wake.finish()
            } else {
                state.subscribers[state.nextSubscription] = (source, wake)
            }
            return state.nextSubscription
        }
        return Subscription(number: number, wakes: wakes)
    }

    func unsubscribe(_ subscription: Subscription) {
        state.withLock { $0.subscribers.removeValue(forKey: subscription.number) }?.wake.finish()
    }

    /// Wakes every reader, with or without new events.
    func wakeAll() { state.withLock { $0.wake { _ in true } } }

    /// Ends a source and the subscriptions to it.
    func end(_ source: Source) {
        state.withLock { state in
            state.sources.remove(source)
            state.end { $0 == source }
        }
    }

    /// Ends all subscriptions and accepts no more.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.end { _ in true }
        }
    }
}

extension EventJournal.State {
    fileprivate func wake(_ concerns: (EventJournal.Source?) -> Bool) {
        for subscriber in subscribers.values where concerns(subscriber.source) { subscriber.wake.yield() }
    }

    fileprivate mutating func end(_ concerns: (EventJournal.Source?) -> Bool) {
        for (number, subscriber) in subscribers where concerns(subscriber.source) {
            subscriber.wake.finish()
            subscribers[number] = nil
        }
    }
}
