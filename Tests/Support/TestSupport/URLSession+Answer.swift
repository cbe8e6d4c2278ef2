public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// Sends a request, and waits for its whole answer even if the task is cancelled meanwhile.
    ///
    /// On Linux a cancelled `data(for:)` can wait for ever: it waits for the session's queue under the lock of the task's
    /// status, and the failure of a request on that queue waits for the lock.
    public func answer(to request: URLRequest) async throws -> (Data, URLResponse) {
        try await Task { try await data(for: request) }.value
    }
}
