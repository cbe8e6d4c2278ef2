package import CTAP
internal import CTAPHID

/// The cable between libfido2 and a device of this process: CTAPHID reports both ways.
package final class InProcessCable: ReportCable {
    private struct Client: Sendable {}

    private let inbox = BlockingQueue<[UInt8]>()
    private let host: CTAPHIDHost<Client>

    /// Connects a device.
    ///
    /// - Parameter u2f: what answers its U2F messages, if anything does.
    package init(_ device: any CTAPDevice, u2f: (any U2FDevice)? = nil) {
        let inbox = inbox
        host = CTAPHIDHost(device: device, u2f: u2f.map { $0.answerU2F }) { reports, _ in inbox.put(reports) }
    }

    package func read(within milliseconds: Int) throws(CTAPDeviceError) -> [UInt8]? { inbox.take(within: milliseconds) }

    package func write(_ report: [UInt8]) -> Bool {
        host.receive(report, from: Client())
        return true
    }

    /// Pulls the device and plugs it in again; libfido2 does not notice.
    package func powerCycle() async { await host.powerCycle() }

    /// Pulls the cable.
    package func disconnect() { host.close() }
}
