import Foundation
import NIOCore
import NIOPosix

/// Acknowledges each segment at once.
///
/// vpcd writes the length of a message and its bytes separately. Nagle's algorithm holds the bytes back until the length
/// is acknowledged, which Linux otherwise delays by 40 ms for each APDU.
final class PromptAcknowledgement: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private static let option = NIOBSDSocket.Option(rawValue: CInt(TCP_QUICKACK))

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The kernel forgets the option after a while.
        try? context.channel.syncOptions?.setOption(.tcpOption(Self.option), value: 1)
        context.fireChannelRead(data)
    }
}
