public import CTAP
internal import Synchronization

/// A device whose answers go wrong on purpose on their way out.
///
/// Without armed faults it is the device it wraps.
public final class FaultyDevice: CTAPDevice, PowerCyclable {
    private struct Armed {
        let fault: CTAPFault
        var remaining: Int?
    }

    /// How many seconds a silent device stays so.
    private static let patience = 600

    private let device: any CTAPDevice
    private let wait: @Sendable (Duration) async -> Void
    private let faults = Mutex<[Armed]>([])

    /// - Parameters:
    ///   - device: the device whose answers are changed.
    ///   - wait: lets a span of the device's clock pass; returns early when the task is cancelled.
    public init(_ device: any CTAPDevice, wait: @escaping @Sendable (Duration) async -> Void) {
        self.device = device
        self.wait = wait
    }

    /// Changes answers from now on.
    ///
    /// - Parameter times: how many answers; nil until ``clear()``.
    public func arm(_ fault: CTAPFault, times: Int? = nil) {
        faults.withLock { $0.append(Armed(fault: fault, remaining: times)) }
    }

    /// Passes answers on unchanged again.
    public func clear() {
        faults.withLock { $0 = [] }
    }

    /// The faults that are on.
    public var armed: [CTAPFault] { faults.withLock { $0.map(\.fault) } }

    public func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        let faults = take(message)
        if let hasty = faults.lazy.compactMap(\.hastyAnswer).first { return hasty }
        var answer = try await device.transceive(message, onKeepalive: onKeepalive)
        for fault in faults {
            if case .late(let span) = fault.kind { await wait(span) }
            guard let changed = fault.changed(answer) else {
                // Whoever waits on a real clock gives up by cancelling long before; a simulated clock only moves here.
                for _ in 0..<Self.patience where !Task.isCancelled { await wait(.seconds(1)) }
                guard Task.isCancelled else { throw .timedOut("it stayed silent on purpose (fault silent)") }
                return [CTAPStatus.keepaliveCancel.rawValue]
            }
            answer = changed
        }
        return answer
    }

    private func take(_ message: [UInt8]) -> [CTAPFault] {
        faults.withLock { faults in
            var taken: [CTAPFault] = []
            for index in faults.indices where faults[index].fault.concerns(message) {
                taken.append(faults[index].fault)
                faults[index].remaining = faults[index].remaining.map { $0 - 1 }
            }
            faults.removeAll { $0.remaining.map { $0 <= 0 } ?? false }
            return taken
        }
    }

    public func powerCycle() async {
        await (device as? any PowerCyclable)?.powerCycle()
    }
}
