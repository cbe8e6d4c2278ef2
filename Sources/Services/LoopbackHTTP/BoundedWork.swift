internal import Dispatch
internal import HTTPTypes
internal import Synchronization

/// Long work of requests, on threads of its own.
///
/// The threads of the concurrency pool stay free for the other requests. A caller who asks for more work than the
/// threads can do is refused, so that the work of one does not become everyone's wait.
package final class BoundedWork: Sendable {
    private struct Lane {
        // A queue of its own has a thread even when other work occupies every thread of the pool.
        let queue: DispatchQueue
        var load = 0
    }

    private let lanes: Mutex<[Lane]>
    private let mostWaiting: Int

    /// - Parameter mostWaiting: the pieces of work that wait for a thread; further ones are refused.
    package init(_ label: String, threads: Int, mostWaiting: Int) {
        lanes = Mutex((0..<threads).map { Lane(queue: DispatchQueue(label: "\(label).\($0)")) })
        self.mostWaiting = mostWaiting
    }

    /// Throws ``APIError/serverBusy`` if a piece of work would find no place now.
    package func requireRoom() throws(APIError) {
        guard lanes.withLock({ hasRoom($0) }) else { throw .serverBusy }
    }

    /// - Throws: ``APIError/serverBusy`` when too many pieces wait, and the error of the work.
    package func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        let (lane, queue) = try reserve()
        return try await withCheckedThrowingContinuation { continuation in
            queue.async {
                let result = Swift.Result(catching: work)
                self.lanes.withLock { $0[lane].load -= 1 }
                continuation.resume(with: result)
            }
        }
    }

    private func hasRoom(_ lanes: [Lane]) -> Bool { lanes.reduce(0) { $0 + $1.load } < lanes.count + mostWaiting }

    private func reserve() throws(APIError) -> (lane: Int, queue: DispatchQueue) {
        let place: (lane: Int, queue: DispatchQueue)? = lanes.withLock { lanes in
            guard hasRoom(lanes), let lane = lanes.indices.min(by: { lanes[$0].load < lanes[$1].load })
            else { return nil }
            lanes[lane].load += 1
            return (lane, lanes[lane].queue)
        }
        guard let place else { throw .serverBusy }
        return place
    }
}

extension APIError {
    package static let serverBusy = APIError(
        503, "server.busy", "The server has too many requests of this kind; try again in a few seconds.",
        headers: [.retryAfter: "2"])
}
