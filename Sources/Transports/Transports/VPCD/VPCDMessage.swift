import NIOCore

/// A message of vsmartcard's virtual reader: two bytes of length, most significant first, and that many bytes.
///
/// From the reader a single byte is a control code, anything longer a command APDU. From the card it is an ATR or a
/// response APDU.
enum VPCDMessage {
    enum Control: UInt8 {
        case powerOff = 0
        case powerOn = 1
        case reset = 2
        /// A request for the ATR.
        case answerToReset = 4
    }

    /// The most bytes of a message.
    static let maximumLength = 65535
}

/// Splits the reader's bytes into messages.
struct VPCDMessageDecoder: ByteToMessageDecoder {
    typealias InboundOut = [UInt8]

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard let message = buffer.readLengthPrefixedSlice(as: UInt16.self) else { return .needMoreData }
        context.fireChannelRead(wrapInboundOut(Array(buffer: message)))
        return .continue
    }
}

/// Prefixes each message to the reader with its length.
struct VPCDMessageEncoder: MessageToByteEncoder {
    typealias OutboundIn = [UInt8]

    func encode(data: [UInt8], out: inout ByteBuffer) throws {
        try out.writeLengthPrefixed(as: UInt16.self) { $0.writeBytes(data) }
    }
}
