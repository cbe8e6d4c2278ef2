package import CTAPHybrid
internal import LoopbackHTTP

/// An open connection to a tunnel service.
package struct TunnelConnection: Sendable {
    /// The messages of the other end, until the tunnel ends.
    package var messages: AsyncStream<[UInt8]> { socket.messages }
    /// The routing ID that the service gave a phone; nil for another end, or where it cannot be read.
    package let routingID: RoutingID?
    private let socket: MessageSocket
    private var onClose: (@Sendable () -> Void)?

    init(_ opened: MessageSocket.Opened) {
        socket = opened.socket
        routingID = opened.value(of: TunnelRequest.routingIDHeader).flatMap(RoutingID.init(headerValue:))
    }

    package func send(_ message: [UInt8]) { socket.send(message) }

    /// Closes the connection; it may have closed already.
    package func close() {
        socket.close()
        onClose?()
    }

    /// The connection, with an act that ``close()`` also performs.
    package func closing(_ act: @escaping @Sendable () -> Void) -> TunnelConnection {
        var connection = self
        connection.onClose = { [onClose] in
            onClose?()
            act()
        }
        return connection
    }
}
