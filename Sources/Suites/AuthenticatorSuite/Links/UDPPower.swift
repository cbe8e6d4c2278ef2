internal import CTAP
internal import CTAPHID
internal import Synchronization
internal import Transports

/// The power of a device over UDP: a command switches it off and on, or the report of simulators.
final class UDPPower: Sendable {
    private let device: UDPDevice
    private let reports: UDPReports
    private let replug: (@Sendable () async throws -> Void)?
    private let isProbed = Mutex(false)

    /// - Parameter replug: switches the device off and on; nil for the report.
    init(_ device: UDPDevice, _ reports: UDPReports, replug: (@Sendable () async throws -> Void)?) {
        (self.device, self.reports, self.replug) = (device, reports, replug)
    }

    /// - Throws: `CTAPDeviceError` for a device that takes the report for a message.
    func cycle() async throws {
        if let replug {
            try await replug()
            return try await AuthenticatorLink.patiently { try await device.requestChannel() }
        }
        if !isProbed.withLock(\.self) {
            try probe()
            isProbed.withLock { $0 = true }
        }
        await device.powerCycle()
    }

    /// A device of CTAPHID alone refuses the report, because it is on a channel that it has not allocated.
    private func probe() throws(CTAPDeviceError) {
        guard reports.write(PowerCycleReport.bytes), let answer = try reports.read(within: Self.patience),
            answer.starts(with: PowerCycleReport.bytes.prefix(4))
        else { return }
        throw .protocolViolation(
            "the device takes the power-cycle report of simulators for a message; give --replug COMMAND, which starts it anew"
        )
    }

    /// The time for the refusal, in milliseconds.
    private static let patience = 100
}
