import HTTPTypes
import LoopbackHTTP
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

/// The time in which a request arrives.
@Suite struct RequestTimeLimitTests {
    private static let head = HTTPRequestPart.head(
        HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/"))
    private static let byte = HTTPRequestPart.body(ByteBuffer(string: "x"))

    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel(handler: RequestTimeLimit())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    @Test func aBodyOfOneByteNowAndThenEndsItsConnection() throws {
        try channel.writeInbound(Self.head)
        for _ in 1...5 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(10))
            try channel.writeInbound(Self.byte)
            #expect(channel.isActive)
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(10))
        #expect(!channel.isActive)
    }

    @Test func theRestOfALateRequestIsDropped() throws {
        try channel.writeInbound(Self.head)
        channel.embeddedEventLoop.advanceTime(by: RequestTimeLimit.usual)
        _ = try channel.readInbound(as: HTTPRequestPart.self)
        for part in [Self.byte, .end(nil)] { channel.pipeline.fireChannelRead(part) }
        #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil)
    }

    @Test func aConnectionStaysOpenBetweenItsRequests() throws {
        for _ in 1...3 {
            for part in [Self.head, Self.byte, .end(nil)] { try channel.writeInbound(part) }
            channel.embeddedEventLoop.advanceTime(by: RequestTimeLimit.usual * 10)
        }
        #expect(channel.isActive)
    }
}
