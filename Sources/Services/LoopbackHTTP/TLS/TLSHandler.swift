internal import CSSL
internal import NIOCore
internal import NIOTLS

/// TLS of one connection: OpenSSL encrypts and decrypts, the channel carries the records (RFC 8446).
///
/// It fires `TLSUserEvent.handshakeCompleted`, or a ``TLSError``.
final class TLSHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case handshake, open, failed
    }

    private let session: OpaquePointer
    /// The records from the other side that OpenSSL has not read; the session owns it.
    private let received: OpaquePointer
    /// The records for the other side that the channel has not written; the session owns it.
    private let outgoing: OpaquePointer
    private var state = State.handshake
    /// The writes before the end of the handshake.
    private var waiting: [(ByteBuffer, EventLoopPromise<Void>?)] = []

    /// - Parameter session: an `SSL`, which the handler frees.
    init(_ session: OpaquePointer) throws(TLSError) {
        self.session = session
        guard let received = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem()) else {
            SSL_free(session)
            throw .ofOpenSSL()
        }
        (self.received, self.outgoing) = (received, outgoing)
        SSL_set_bio(session, received, outgoing)
    }

    deinit { SSL_free(session) }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { shakeHands(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        shakeHands(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let written = unwrapInboundIn(data).withUnsafeReadableBytes {
            BIO_write(received, $0.baseAddress, CInt($0.count))
        }
        guard written >= 0 else { return fail(.ofOpenSSL(), context) }
        if state == .handshake { shakeHands(context) }
        if state == .open { decrypt(context) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        waiting.append((unwrapOutboundIn(data), promise))
    }

    func flush(context: ChannelHandlerContext) {
        if state == .open { encrypt(context) }
        context.flush()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if state == .open {
            SSL_shutdown(session)
            send(context)
        }
        context.close(mode: mode, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        for (_, promise) in waiting { promise?.fail(ChannelError.ioOnClosedChannel) }
        waiting = []
        context.fireChannelInactive()
    }

    private func shakeHands(_ context: ChannelHandlerContext) {
        let result = SSL_do_handshake(session)
        send(context)
        if result == 1 {
            state = .open
            context.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: nil))
            encrypt(context)
        } else if SSL_get_error(session, result) != SSL_ERROR_WANT_READ {
            fail(.handshake(of: session), context)
        }
    }

    private func decrypt(_ context: ChannelHandlerContext) {
        var result: CInt
        repeat {
            var buffer = context.channel.allocator.buffer(capacity: Self.recordLength)
            result = buffer.withUnsafeMutableWritableBytes {
                SSL_read(session, $0.baseAddress, CInt(min($0.count, Self.recordLength)))
            }
            if result > 0 {
                buffer.moveWriterIndex(forwardBy: Int(result))
                context.fireChannelRead(wrapInboundOut(buffer))
            }
        } while result > 0 && state == .open
        // A renewed key or an alert may have to go out.
        send(context)
        switch SSL_get_error(session, result) {
        case SSL_ERROR_NONE, SSL_ERROR_WANT_READ: break
        case SSL_ERROR_ZERO_RETURN: context.close(promise: nil)
        default: fail(.ofOpenSSL(), context)
        }
    }

    private func encrypt(_ context: ChannelHandlerContext) {
        let writes = waiting
        waiting = []
        for (buffer, promise) in writes {
            let written = buffer.withUnsafeReadableBytes { bytes in
                bytes.isEmpty ? 1 : SSL_write(session, bytes.baseAddress, CInt(bytes.count))
            }
            guard written > 0 else {
                promise?.fail(TLSError.ofOpenSSL())
                continue
            }
            send(context, promise)
        }
    }

    private func send(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>? = nil) {
        var records = context.channel.allocator.buffer(capacity: Int(BIO_ctrl_pending(outgoing)))
        let count = records.withUnsafeMutableWritableBytes {
            $0.isEmpty ? 0 : BIO_read(outgoing, $0.baseAddress, CInt($0.count))
        }
        guard count > 0 else {
            promise?.succeed()
            return
        }
        records.moveWriterIndex(forwardBy: Int(count))
        context.writeAndFlush(wrapOutboundOut(records), promise: promise)
    }

    private func fail(_ error: TLSError, _ context: ChannelHandlerContext) {
        state = .failed
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }

    /// The longest plaintext of a record (RFC 8446 §5.1).
    private static let recordLength = 1 << 14
}
