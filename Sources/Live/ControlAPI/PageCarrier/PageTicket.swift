internal import Synchronization

/// The place of a page's request in the journal of ceremonies.
///
/// A task-local value holds it, because the answer to the page is made after the ceremony.
final class PageTicket: Sendable {
    @TaskLocal static var current: PageTicket?

    private let ceremony = Mutex<Int?>(nil)

    /// The ID of the request's last ceremony; nil for a request that has not reached the device.
    var id: Int? { ceremony.withLock { $0 } }

    func note(_ id: Int) { ceremony.withLock { $0 = id } }
}
