internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

extension ControlOperations {
    static let socketsPath = "/v1/sockets"

    var webSockets: [Operation] {
        [
            operation(
                .post, Self.socketsPath, "createSocketAddress",
                "Make the address of a WebSocket, which carries requests with the rights of the request for it",
                .sockets,
                answer: TypedAnswer<SocketAddress>("The address"), status: .created, errors: [503]
            ) { call in
                guard let address = sockets.makeAddress(call) else { throw APIError.stoppingSockets }
                return address
            }
        ]
    }
}

/// The address of a WebSocket.
struct SocketAddress: Codable, Sendable {
    /// The URL, which is secret and opens one WebSocket.
    let url: String
    /// The server's first message; a caller sends nothing to a server that does not know it.
    let greeting: String
    /// The time in which it can be opened.
    let lifetimeSeconds: Double
}

extension APIError {
    fileprivate static let stoppingSockets = APIError(
        503, "socket.unavailable", "The server is stopping and opens no WebSocket.")
}
