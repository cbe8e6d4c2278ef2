internal import Crypto
internal import HTTPTypes
internal import Logging
internal import LoopbackHTTP
internal import Synchronization
internal import VirtualAuthenticator

/// WebSockets that carry requests, on a port of their own: a request by `fetch` costs a browser more than a ceremony.
///
/// An address is secret, opens one WebSocket, and has the rights of the request that asked for it.
final class RequestSockets: SocketEndpoint {
    /// An address that is not used yet.
    private struct Address {
        let digest: SHA256Digest
        let fields: HTTPFields
        let end: Duration
    }

    private struct State {
        var respond: RequestSocket.Responder?
        var server: SocketServer?
        var addresses: [Address] = []
        var open: [Int: TextSocket] = [:]
        var lastNumber = 0
    }

    /// The time in which an address can be used.
    static let lifetime = Duration.seconds(30)
    /// The largest number of unused addresses; the oldest one ends first.
    private static let mostAddresses = 200
    /// The largest number of open WebSockets.
    private static let mostOpen = 500

    private let time: any TimeSource
    private let logger: Logger
    /// The port of the server whose requests these are.
    private let port: BoundPort
    private let state = Mutex(State())

    init(for port: BoundPort, time: any TimeSource, logger: Logger) {
        (self.port, self.time, self.logger) = (port, time, logger)
    }

    /// Opens the port.
    ///
    /// - Throws: an error of the operating system.
    func start() async throws {
        let server = try await SocketServer.start(self)
        state.withLock { $0.server = server }
    }

    /// Passes the requests to a router.
    func pass(to respond: @escaping RequestSocket.Responder) { state.withLock { $0.respond = respond } }

    /// Closes the port and the WebSockets.
    func stop() async {
        let (server, open) = state.withLock { state in
            defer { state.server = nil }
            return (state.server, state.open.values)
        }
        await server?.stop()
        for socket in open { socket.close() }
    }

    /// Makes an address with the rights of a request.
    ///
    /// - Returns: nil while the port is not open.
    func makeAddress(_ fields: HTTPFields) -> String? {
        var own = HTTPFields()
        for name in [HTTPField.Name.authorization, .origin] { own[name] = fields[name] }
        let secret = AccessToken().text
        let address = Address(digest: AccessTokens.digest(secret), fields: own, end: time.now() + Self.lifetime)
        return state.withLock { state in
            guard let server = state.server else { return nil }
            if state.addresses.count >= Self.mostAddresses { state.addresses.removeFirst() }
            state.addresses.append(address)
            return "ws://127.0.0.1:\(server.port)/\(secret)"
        }
    }

    // MARK: SocketEndpoint

    var largestMessage: Int { SocketMessage.largest }

    func answer(_ method: String, _ target: String, host: String) -> SocketServer.Answer {
        SocketServer.Answer(status: 404)
    }

    func hasSocket(at path: String, for origin: String?) -> Bool {
        state.withLock { state in
            guard state.open.count < Self.mostOpen, let place = place(of: path, in: state) else { return false }
            return state.addresses[place].fields[.origin] == origin
        }
    }

    func serve(_ socket: TextSocket, at path: String) async {
        let found = state.withLock { state -> (fields: HTTPFields, respond: RequestSocket.Responder, number: Int)? in
            guard let place = place(of: path, in: state), state.server != nil, let respond = state.respond else {
                return nil
            }
            state.lastNumber += 1
            state.open[state.lastNumber] = socket
            return (state.addresses.remove(at: place).fields, respond, state.lastNumber)
        }
        guard let found, let port = port.number else { return socket.close() }
        let caller = RequestSocket.Caller(authority: "127.0.0.1:\(port)", fields: found.fields)
        await RequestSocket(socket, for: caller, logger: logger, found.respond).serve()
        state.withLock { $0.open[found.number] = nil }
    }

    private func place(of path: String, in state: State) -> Int? {
        let digest = AccessTokens.digest(String(path.dropFirst()))
        let now = time.now()
        // swift-crypto compares digests in constant time.
        return state.addresses.firstIndex { $0.digest == digest && now < $0.end }
    }
}
