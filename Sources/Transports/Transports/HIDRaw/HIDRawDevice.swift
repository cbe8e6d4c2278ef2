package import CTAP
import CTAPHID
import Foundation
internal import MachineNeeds
import NIOCore
import NIOPosix

/// A USB security key reached by CTAPHID through its Linux hidraw node.
///
/// ```swift
/// let key = try await HIDRawDevice.open(path: "/dev/hidraw0")
/// let answer = try await key.transceive([0x04])
/// ```
///
/// Other programs may have the key open at the same time. Requests of several tasks are sent one after the other.
/// Cancelling a task sends CTAPHID_CANCEL for its request and still waits for the key's answer.
package final class HIDRawDevice: CTAPHIDDevice, U2FDevice, Sendable {
    package let connection: CTAPHIDConnection
    /// The CBOR capability in the INIT answer.
    package let answersCTAP2: Bool

    private init(_ connection: CTAPHIDConnection, answersCTAP2: Bool) {
        self.connection = connection
        self.answersCTAP2 = answersCTAP2
    }

    deinit {
        connection.abandon()
    }

    /// Opens a key by its node, such as `/dev/hidraw0`, and requests a channel.
    ///
    /// - Throws: ``CTAP/CTAPDeviceError`` when the node is missing or cannot be opened, or no FIDO key answers.
    package static func open(
        path: String, exchangeLimit: Duration = CTAPHIDClient.exchangeLimit, silenceLimit: Duration = .seconds(5)
    ) async throws(CTAPDeviceError) -> HIDRawDevice {
        let descriptor = Foundation.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .disconnected(refusal(path, errno)) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else {
            Foundation.close(descriptor)
            throw .disconnected("\(path) is not a device")
        }
        return try await attach(
            descriptor: descriptor, named: path, exchangeLimit: exchangeLimit, silenceLimit: silenceLimit)
    }

    /// Takes ownership of a descriptor, which writes reports with a report number and reads reports without one.
    static func attach(
        descriptor: CInt, named path: String, exchangeLimit: Duration = CTAPHIDClient.exchangeLimit,
        silenceLimit: Duration = .seconds(5)
    ) async throws(CTAPDeviceError) -> HIDRawDevice {
        let connection: CTAPHIDConnection
        do {
            connection = try await NIOPipeBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                // One report per read; a shorter buffer would lose the rest of it.
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: CTAPHIDPacket.length))
                .takingOwnershipOfDescriptor(inputOutput: descriptor) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(PacedReports())
                        return try CTAPHIDConnection(addingTo: channel, exchangeLimit: exchangeLimit) { silenceLimit }
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
        return HIDRawDevice(connection, answersCTAP2: capabilities?.contains(.cbor) ?? false)
    }

    package func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        guard answersCTAP2 else { throw .protocolViolation("this key has U2F (CTAP1) only, not CTAP2") }
        return try await connection.transceive(message, onKeepalive: onKeepalive)
    }

    private static func refusal(_ path: String, _ code: Int32) -> String {
        switch code {
        case EACCES, EPERM:
            MachineUse.usb.pointed(
                "\(path) cannot be opened without permission: run as root, or install the udev rule \(UdevRule.name)")
        case ENOENT, ENODEV, ENXIO: "\(path) was not found"
        default: "\(path): \(String(cString: strerror(code)))"
        }
    }
}
