internal import Devices
internal import Synchronization

/// Something that happened in a device, with its place in the order of everything that happened.
struct EventRecord: Hashable, Sendable, Codable {
    /// Counts up over all devices of this server, from 1.
    let id: Int
    /// The device's name.
    let device: String
    let event: EventDescription
}

/// The newest events of all devices, for readers who poll and readers who wait.
///
/// Readers keep their own place in it; a reader who falls behind what is kept is told how many events are gone.
final class EventJournal: Sendable {
    /// Which events a reader wants.
    struct Filter: Hashable, Sendable {
        /// Those of this device; nil for all devices.
        var device: String?
        /// Those after this one.
        var after = 0
    }

    /// A reader who waits: its stream says that there may be more, and ends with the device or the server.
    struct Subscription: Sendable {
        let number: Int
        let wakes: AsyncStream<Void>
    }

    fileprivate struct State {
        /// Their IDs have no gaps.
        var records: [EventRecord] = []
        var lastID = 0
        var nextSubscription = 0
        var subscribers: [Int: (device: String?, wake: AsyncStream<Void>.Continuation)] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// The ID of the newest event.
    var lastID: Int { state.withLock { $0.lastID } }

    /// Adds an event.
    func append(_ event: EventDescription, of device: String) {
        state.withLock { state in
            if state.records.count >= capacity { state.records.removeFirst(max(1, capacity / 10)) }
            state.lastID += 1
            state.records.append(EventRecord(id: state.lastID, device: device, event: event))
            state.wake { $0 == nil || $0 == device }
        }
    }

    /// The first events a reader has not seen.
    ///
    /// - Returns: at most `limit` of them; how many that came before them, of whatever device, are not kept any more;
    ///   and the ID up to which the reader has seen everything then.
    func read(_ filter: Filter, limit: Int) -> (records: [EventRecord], missed: Int, seen: Int) {
        state.withLock { state in
            // An ID of an earlier run of the server stands for the newest event.
            let after = min(filter.after, state.lastID)
            let oldest = state.records.first?.id ?? state.lastID + 1
            let missed = max(0, oldest - after - 1)
            var found: [EventRecord] = []
            var seen = state.lastID
            for record in state.records[max(0, after + 1 - oldest)...]
            where filter.device == nil || record.device == filter.device {
                if found.count == limit {
                    seen = found.last?.id ?? seen
                    break
                }
                found.append(record)
            }
            return (found, missed, seen)
        }
    }

    /// Lets a reader wait for more.
    func subscribe(to device: String?) -> Subscription {
        // One wake is as good as many, so a reader who is slow costs nothing.
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.nextSubscription += 1
            if state.isClosed {
                wake.finish()
            } else {
                state.subscribers[state.nextSubscription] = (device, wake)
            }
            return state.nextSubscription
        }
        return Subscription(number: number, wakes: wakes)
    }

    func unsubscribe(_ subscription: Subscription) {
        state.withLock { $0.subscribers.removeValue(forKey: subscription.number) }?.wake.finish()
    }

    /// Wakes every reader, who has then something to say or not.
    func beat() {
        state.withLock { $0.wake { _ in true } }
    }

    /// Ends the waiting of those who read this device's events.
    func end(_ device: String) {
        state.withLock { $0.end { $0 == device } }
    }

    /// Ends everybody's waiting, for good.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.end { _ in true }
        }
    }
}

extension EventJournal.State {
    fileprivate func wake(_ concerns: (String?) -> Bool) {
        for subscriber in subscribers.values where concerns(subscriber.device) { subscriber.wake.yield() }
    }

    fileprivate mutating func end(_ concerns: (String?) -> Bool) {
        for (number, subscriber) in subscribers where concerns(subscriber.device) {
            subscriber.wake.finish()
            subscribers[number] = nil
        }
    }
}
