package import CTAP
package import CTAPHID
internal import Transports

/// Carries CTAPHID reports between libfido2 and a device in this process.
package final class InProcessReportTransport: ReportTransport {
    private struct Client: Sendable {}

    private let inbox = BlockingQueue<[UInt8]>()
    private let runner: CTAPHIDServerRunner<Client>

    package init(_ device: any CTAPDevice, u2f: (any U2FDevice)? = nil, faults: TransportFaults? = nil) {
        let inbox = inbox
        runner = CTAPHIDServerRunner(device: device, u2f: u2f.map { $0.answerU2F }, faults: faults) { reports, _ in
            inbox.put(reports)
        }
    }

    package func read(within milliseconds: Int) throws(CTAPDeviceError) -> [UInt8]? { inbox.take(within: milliseconds) }

    package func write(_ report: [UInt8]) -> Bool {
        runner.receive(report, from: Client())
        return true
    }

    /// Unplugs the device and plugs it in again, unnoticed by libfido2.
    package func powerCycle() async { await runner.powerCycle() }

    package func disconnect() { runner.close() }
}
