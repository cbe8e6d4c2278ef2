package import CTAP
internal import CTAPHID
internal import Synchronization

/// A report transport that reports the CTAP messages in libfido2's traffic.
package final class ObservedReportTransport: ReportTransport {
    package enum Traffic: Hashable, Sendable {
        /// A CTAP2 request, or a U2F message.
        case request([UInt8], isU2F: Bool)
        case keepalive(KeepaliveStatus)
        case cancel
        case answer([UInt8])
        /// A CTAPHID error in place of the answer.
        case error(UInt8)
        case lost(CTAPDeviceError)
    }

    private struct Direction {
        var assembler: CTAPHIDAssembler?

        mutating func take(_ report: [UInt8]) -> CTAPHIDMessage? {
            guard let packet = try? CTAPHIDPacket(report: report) else { return nil }
            switch packet.header {
            case .initialization: assembler = try? CTAPHIDAssembler(first: packet)
            case .continuation: try? assembler?.append(packet)
            }
            guard let message = assembler?.message else { return nil }
            assembler = nil
            return message
        }
    }

    private struct State {
        var outgoing = Direction()
        var incoming = Direction()
        /// The channel libfido2 uses; other channels belong to other programs.
        var channel: CTAPHIDChannel?
    }

    private let transport: any ReportTransport
    private let onTraffic: @Sendable (Traffic) -> Void
    private let state = Mutex(State())

    package init(_ transport: any ReportTransport, onTraffic: @escaping @Sendable (Traffic) -> Void) {
        self.transport = transport
        self.onTraffic = onTraffic
    }

    package func write(_ report: [UInt8]) -> Bool {
        let message = state.withLock { state in
            let message = state.outgoing.take(report)
            if let message, message.channel != .broadcast { state.channel = message.channel }
            return message
        }
        switch message?.command {
        case .cbor?: onTraffic(.request(message?.payload ?? [], isU2F: false))
        case .message?: onTraffic(.request(message?.payload ?? [], isU2F: true))
        case .cancel?: onTraffic(.cancel)
        default: break
        }
        return transport.write(report)
    }

    package func read(within milliseconds: Int) throws(CTAPDeviceError) -> [UInt8]? {
        let report: [UInt8]
        do {
            guard let next = try transport.read(within: milliseconds) else { return nil }
            report = next
        } catch {
            onTraffic(.lost(error))
            throw error
        }
        let message = state.withLock { state -> CTAPHIDMessage? in
            guard let packet = try? CTAPHIDPacket(report: report), packet.channel == state.channel else { return nil }
            return state.incoming.take(report)
        }
        switch message?.command {
        case .cbor?, .message?: onTraffic(.answer(message?.payload ?? []))
        case .keepalive?:
            if let status = message?.payload.first.flatMap(KeepaliveStatus.init(rawValue:)) {
                onTraffic(.keepalive(status))
            }
        case .error?: onTraffic(.error(message?.payload.first ?? 0))
        default: break
        }
        return report
    }
}
