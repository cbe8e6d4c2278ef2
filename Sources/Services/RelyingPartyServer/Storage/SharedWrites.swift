internal import GRDB
internal import Synchronization

/// Writes of requests that arrive together, in one transaction.
///
/// A transaction costs more than the writes of a request in it, so the writes that wait while another transaction runs
/// share the next one. Each is answered after the commit. Where one of them fails, all are undone, and each runs again
/// in a transaction of its own: a failure affects only its own write. A write must change only
/// the database.
final class SharedWrites: Sendable {
    /// The number of writes in one transaction: the first of them waits for the last.
    private static let limit = 64

    private struct Write: Sendable {
        /// Runs the write; the result delivers its value.
        let run: @Sendable (Database) throws -> @Sendable () -> Void
        let fail: @Sendable (any Error) -> Void
    }

    private let database: any DatabaseWriter
    private let waiting = Mutex<[Write]>([])

    init(_ database: any DatabaseWriter) { self.database = database }

    /// Runs a write in a transaction, possibly more than once; only the effects and the value of the last time remain.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let write = Write { db in
                let value = try body(db)
                return { continuation.resume(returning: value) }
            } fail: {
                continuation.resume(throwing: $0)
            }
            let count = waiting.withLock { waiting in
                waiting.append(write)
                return waiting.count
            }
            // The first one starts a transaction, which takes those that follow.
            if count % Self.limit == 1 { database.asyncWriteWithoutTransaction { db in self.runNext(db) } }
        }
    }

    private func runNext(_ db: Database) {
        let writes = waiting.withLock { waiting in
            let next = Array(waiting.prefix(Self.limit))
            waiting.removeFirst(next.count)
            return next
        }
        run(writes, db)
    }

    private func run(_ writes: [Write], _ db: Database) {
        do {
            var deliveries: [@Sendable () -> Void] = []
            try db.inTransaction {
                for write in writes { deliveries.append(try write.run(db)) }
                return .commit
            }
            for deliver in deliveries { deliver() }
        } catch {
            guard writes.count > 1 else {
                writes.first?.fail(error)
                return
            }
            for write in writes { run([write], db) }
        }
    }
}
