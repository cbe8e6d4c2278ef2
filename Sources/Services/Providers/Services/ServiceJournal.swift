internal import Synchronization

/// A request that a service received.
package struct ServiceRequest: Hashable, Sendable {
    package let service: ServiceName
    /// The endpoint's name, such as `token`.
    package let endpoint: String
    /// The method and the path.
    package let request: String
    package let query: String
    /// The HTTP status; nil when the connection was closed without an answer.
    package let status: Int?
    /// The time of the answer, since the Unix epoch.
    package let time: Duration
}

/// The requests that the services received, in the order of their answers.
package final class ServiceJournal: Sendable {
    private let requests = Mutex<[ServiceRequest]>([])

    package init() {}

    package var all: [ServiceRequest] { requests.withLock { $0 } }

    package func count(_ service: ServiceName) -> Int {
        requests.withLock { requests in requests.count { $0.service == service } }
    }

    private static let limit = 10_000

    func append(_ request: ServiceRequest) {
        requests.withLock { requests in
            if requests.count == Self.limit { requests.removeFirst(Self.limit / 2) }
            requests.append(request)
        }
    }
}
