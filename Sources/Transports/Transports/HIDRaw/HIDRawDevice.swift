package import CTAP
package import CTAPHID
import Foundation
import NIOCore
import NIOPosix

/// A USB security key reached by CTAPHID through its Linux hidraw node: our own channel, byte for byte.
///
/// ```swift
/// let key = try await HIDRawDevice.open(path: "/dev/hidraw0")
/// let answer = try await key.transceive([0x04])
/// ```
///
/// Other programs may have the key open at the same time. Requests of several tasks are sent one after the other;
/// cancelling a task sends CTAPHID_CANCEL for its request and goes on waiting for the key's answer.
package final class HIDRawDevice: CTAPDevice, U2FDevice, Sendable {
    private let connection: CTAPHIDConnection
    /// The CBOR capability of its INIT answer.
    private let speaksCTAP2: Bool

    private init(_ connection: CTAPHIDConnection, speaksCTAP2: Bool) {
        self.connection = connection
        self.speaksCTAP2 = speaksCTAP2
    }

    deinit {
        connection.abandon()
    }

    /// Opens a key and asks it for a channel.
    ///
    /// - Parameters:
    ///   - path: the node, such as `/dev/hidraw0`.
    ///   - silenceLimit: how long the key may be silent before it counts as gone.
    /// - Throws: ``CTAP/CTAPDeviceError`` when there is no such node, it may not be opened, or no FIDO key answers.
    package static func open(
        path: String, silenceLimit: Duration = .seconds(5)
    ) async throws(CTAPDeviceError) -> HIDRawDevice {
        let descriptor = Foundation.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .disconnected(refusal(path, errno)) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else {
            Foundation.close(descriptor)
            throw .disconnected("\(path) is not a device")
        }
        return try await attach(descriptor: descriptor, named: path, silenceLimit: silenceLimit)
    }

    /// Speaks over a descriptor that takes reports with their number first and gives reports; takes it over.
    static func attach(
        descriptor: CInt, named path: String, silenceLimit: Duration = .seconds(5)
    ) async throws(CTAPDeviceError) -> HIDRawDevice {
        let connection: CTAPHIDConnection
        do {
            connection = try await NIOPipeBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                // One report to a read; a longer buffer would change nothing, a shorter one lose the rest.
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: CTAPHIDPacket.length))
                .takingOwnershipOfDescriptor(inputOutput: descriptor) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(ReportNumber())
                        return try CTAPHIDConnection(addingTo: channel, silenceLimit: silenceLimit)
                    }
                }
        } catch {
            Foundation.close(descriptor)
            throw .disconnected("\(path) cannot be used: \(error)")
        }
        do {
            _ = try await connection.exchange(.open)
        } catch {
            connection.abandon()
            throw error
        }
        let capabilities = await connection.initialization()?.capabilities
        return HIDRawDevice(connection, speaksCTAP2: capabilities?.contains(.cbor) ?? false)
    }

    /// Sends one CTAP2 message and returns the answer; a status counts as an answer.
    package func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        guard speaksCTAP2 else { throw .protocolViolation("this key speaks U2F (CTAP1) only, no CTAP2") }
        return try await connection.transceive(message, onKeepalive: onKeepalive)
    }

    /// Sends one U2F message (CTAPHID_MSG) and returns its response.
    package func answerU2F(_ apdu: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
        try await connection.exchange(.request(.message, apdu))
    }

    /// Lets the person see which key this is.
    package func wink() async throws(CTAPDeviceError) {
        _ = try await connection.exchange(.request(.wink, []))
    }

    /// How the key introduced itself when it gave out the channel.
    package func initialization() async -> CTAPHIDInitialization? {
        await connection.initialization()
    }

    /// Lets go of the key; requests under way end with ``CTAP/CTAPDeviceError/disconnected(_:)``.
    package func close() async {
        await connection.close()
    }

    private static func refusal(_ path: String, _ code: Int32) -> String {
        switch code {
        case EACCES, EPERM:
            "\(path) may not be opened: run as root, or install hardware/70-touchstone.rules"
        case ENOENT, ENODEV, ENXIO: "there is no \(path)"
        default: "\(path): \(String(cString: strerror(code)))"
        }
    }
}

/// Puts the report's number, 0, before each report, as hidraw wants it.
private final class ReportNumber: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let report = unwrapOutboundIn(data)
        // At once: two that wait could leave in one write, and a write is a report.
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: [0] + Array(buffer: report))), promise: promise)
    }
}
