import LoopbackHTTP
import NIOCore
import Testing

@testable import ControlAPI

/// The frames of WebSockets (RFC 6455 §5).
@Suite(.timeLimit(.minutes(30))) struct FrameTests {
    /// A frame as a client sends it; the mask's bytes are zero.
    private static func frame(_ first: UInt8, _ payload: [UInt8] = [], isMasked: Bool = true) -> [UInt8] {
        [first, UInt8(payload.count) | (isMasked ? 0x80 : 0)] + (isMasked ? [0, 0, 0, 0] : []) + payload
    }

    /// Frames, and the code with which the server closes the WebSocket (RFC 6455 §7.4.1).
    static let frames: [(name: String, bytes: [UInt8], code: UInt16)] = [
        ("a close frame", frame(0x88, [0x03, 0xE8]), 1000),
        (
            "a text, a ping, a pong and a close frame",
            frame(0x81, Array("{}".utf8)) + frame(0x89) + frame(0x8A) + frame(0x88, [0x03, 0xE9]), 1001
        ),
        (
            "a fragmented text and a close frame",
            frame(0x01, Array("{".utf8)) + frame(0x80, Array("}".utf8)) + frame(0x88, [0x03, 0xE8]), 1000
        ),
        ("a text without a mask", frame(0x81, Array("{}".utf8), isMasked: false), 1002),
        ("a ping without a mask", frame(0x89, isMasked: false), 1002),
        ("a close frame without a mask", frame(0x88, [0x03, 0xE8], isMasked: false), 1002),
        ("RSV1", frame(0xC1, Array("{}".utf8)), 1002), ("RSV2", frame(0xA1, Array("{}".utf8)), 1002),
        ("RSV3", frame(0x91, Array("{}".utf8)), 1002), ("RSV1 of a ping", frame(0xC9), 1002),
        ("RSV2 of a continuation", frame(0x01, [0x7B]) + frame(0xA0, [0x7D]), 1002),
        ("opcode 3", frame(0x83), 1002), ("opcode 7", frame(0x87), 1002), ("opcode 11", frame(0x8B), 1002),
        ("opcode 15", frame(0x8F), 1002), ("a fragmented ping", frame(0x09), 1002),
        ("a continuation of nothing", frame(0x80, [0x7B]), 1002),
        ("a text within a text", frame(0x01, [0x7B]) + frame(0x81, [0x7D]), 1002),
        ("a close frame with one byte", frame(0x88, [0x03]), 1002),
        ("a close frame with a code that is never sent", frame(0x88, [0x03, 0xED]), 1002),
        ("a close frame with a code below 1000", frame(0x88, [0, 1]), 1002),
        ("a text that is not UTF-8", frame(0x81, [0xFF, 0xFE]), 1007),
    ]

    @Test("A frame against the rules ends the WebSocket with the reason", arguments: frames.indices)
    func wrongFrameIsRefused(index: Int) async throws {
        let frames = Self.frames[index]
        try await Control.run { control in
            let address: ControlAPI.SocketAddress = try await control.send("POST", "/v1/sockets").decode()
            let found = try MessageSocket.Address(address.url)
            let fields = [
                "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Content-Length": "0",
            ]
            let received = try await Wire(port: found.port).open("GET", found.path, fields: fields, body: frames.bytes)
            {
                chunks in
                var bytes: [UInt8] = []
                for try await chunk in chunks { bytes += chunk.readableBytesView }
                return bytes
            }
            // The close frame comes last: its first byte, its length and the code.
            #expect(received.suffix(4).prefix(2) == [0x88, 2], "\(frames.name)")
            #expect(received.suffix(2).reduce(0) { $0 << 8 | UInt16($1) } == frames.code, "\(frames.name)")
        }
    }
}
