internal import Crypto
internal import HTTPTypes
internal import Logging
internal import LoopbackHTTP
internal import Synchronization
internal import VirtualAuthenticator

/// WebSockets that carry requests, on a port of their own.
///
/// A browser takes longer for a `fetch` than a device for a ceremony. An address is secret, opens one WebSocket, and has the rights of the
/// request for it. The server's first message is a greeting that the address came with: another program may listen on a port
/// that only looks like the server's.
final class RequestSockets: SocketEndpoint {
    /// An address that is not used yet.
    private struct Address {
        let digest: SHA256Digest
        let greeting: String
        let caller: RequestSocket.Caller
        let origin: String?
        let end: Duration
    }

    private struct State {
        var respond: RequestSocket.Responder?
        var server: SocketServer?
        var addresses: [Address] = []
        var open: [Int: MessageSocket] = [:]
        var lastNumber = 0
    }

    /// The time in which an address can be used.
    static let lifetime = Duration.seconds(30)
    /// The largest number of unused addresses; the oldest one ends first.
    private static let mostAddresses = 200
    /// The largest number of open WebSockets.
    private static let mostOpen = 250

    private let time: any TimeSource
    private let logger: Logger
    private let state = Mutex(State())

    init(time: any TimeSource, logger: Logger) { (self.time, self.logger) = (time, logger) }

    /// Opens the port.
    func start() async throws {
        let server = try await SocketServer.start(self)
        state.withLock { $0.server = server }
    }

    /// Passes the requests to a router.
    func pass(to respond: @escaping RequestSocket.Responder) { state.withLock { $0.respond = respond } }

    /// Closes the port and the WebSockets.
    func stop() async {
        let (server, open) = state.withLock { state in
            defer {
                (state.server, state.respond) = (nil, nil)
                state.addresses = []
            }
            return (state.server, state.open.values)
        }
        await server?.stop()
        for socket in open { socket.close() }
    }

    /// Makes an address with the rights of a request; nil while the port is not open.
    func makeAddress(_ call: Call) -> SocketAddress? {
        var fields = HTTPFields()
        for name in [HTTPField.Name.authorization, .origin] { fields[name] = call.headers[name] }
        let (secret, greeting) = (AccessToken().text, AccessToken().text)
        let address = Address(
            digest: AccessTokens.digest(secret), greeting: greeting,
            caller: RequestSocket.Caller(authority: call.authority ?? "", fields: fields),
            origin: call.headers[.origin], end: time.now() + Self.lifetime)
        return state.withLock { state in
            guard let server = state.server else { return nil }
            if state.addresses.count >= Self.mostAddresses { state.addresses.removeFirst() }
            state.addresses.append(address)
            return SocketAddress(
                url: "ws://127.0.0.1:\(server.port)/\(secret)", greeting: greeting,
                lifetimeSeconds: Self.lifetime / .seconds(1))
        }
    }

    // MARK: SocketEndpoint

    var largestMessage: Int { SocketMessage.largest(ofBody: ControlOperations.largestAct) }

    func answer(_ method: String, _ target: String, host: String) -> SocketServer.Answer {
        SocketServer.Answer(status: 404)
    }

    func admits(_ origin: String?, to path: String) -> Bool {
        state.withLock { state in place(of: path, in: state).map { state.addresses[$0].origin == origin } ?? false }
    }

    func serve(_ socket: MessageSocket, at path: String) async {
        let found = state.withLock { state -> (address: Address, respond: RequestSocket.Responder, number: Int)? in
            guard let place = place(of: path, in: state), let respond = state.respond else { return nil }
            state.lastNumber += 1
            state.open[state.lastNumber] = socket
            return (state.addresses.remove(at: place), respond, state.lastNumber)
        }
        guard let (address, respond, number) = found else { return socket.close() }
        socket.send(Array(address.greeting.utf8))
        await RequestSocket(socket, for: address.caller, logger: logger, respond).serve()
        state.withLock { $0.open[number] = nil }
    }

    private func place(of path: String, in state: State) -> Int? {
        guard state.open.count < Self.mostOpen else { return nil }
        let digest = AccessTokens.digest(String(path.dropFirst()))
        let now = time.now()
        // swift-crypto compares digests in constant time.
        return state.addresses.firstIndex { $0.digest == digest && now < $0.end }
    }
}
