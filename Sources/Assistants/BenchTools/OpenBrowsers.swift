internal import Synchronization
internal import WebDriver

/// The browsers that tools have opened, by their names.
final class OpenBrowsers: Sendable {
    private struct State {
        var servers: [String: DevToolsServer] = [:]
        var lastNumber = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Keeps a browser until it ends; nil when no browser may open any more.
    func add(_ server: DevToolsServer) -> String? {
        let name = state.withLock { state -> String? in
            guard !state.isClosed else { return nil }
            state.lastNumber += 1
            let name = "browser-\(state.lastNumber)"
            state.servers[name] = server
            return name
        }
        guard let name else { return nil }
        Task { [self] in
            await server.waitUntilEnd()
            await close(name)
        }
        return name
    }

    var names: [String] { state.withLock { $0.servers.keys.sorted() } }

    /// Ends a browser, or leaves it where it was running before; returns false for an unknown name.
    @discardableResult
    func close(_ name: String) async -> Bool {
        guard let server = state.withLock({ $0.servers.removeValue(forKey: name) }) else { return false }
        await server.stop()
        return true
    }

    /// Ends all browsers; none opens afterwards.
    func closeAll() async {
        state.withLock { $0.isClosed = true }
        for name in names { await close(name) }
    }
}
