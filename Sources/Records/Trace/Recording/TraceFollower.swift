package import CTAP
internal import Synchronization

/// Records the exchanges of a device that another client, such as a library, drives.
///
/// Requests and answers alternate: an answer belongs to the preceding request.
package final class TraceFollower: Sendable {
    private let trace: DeviceTrace
    private let call = Mutex<TracedCall?>(nil)

    init(_ trace: DeviceTrace) { self.trace = trace }

    package func request(_ message: [UInt8], isU2F: Bool) {
        let began = trace.began(message, isU2F: isU2F)
        call.withLock { $0 = began }
    }

    package func keepalive(_ status: KeepaliveStatus) {
        if let call = call.withLock({ $0 }) { trace.keepalive(status, during: call) }
    }

    package func cancel() {
        if let call = call.withLock({ $0 }) { trace.emit(of: call) { .cancel } }
    }

    package func ended(_ result: Result<[UInt8], CTAPDeviceError>) {
        let ended = call.withLock { call in
            defer { call = nil }
            return call
        }
        if let ended { trace.ended(ended, result) }
    }
}
