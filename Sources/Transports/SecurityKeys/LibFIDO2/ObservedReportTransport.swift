package import CTAP
internal import CTAPHID
internal import Synchronization

/// A cable whose traffic is read along: the CTAP messages in libfido2's reports.
package final class TappedCable: ReportCable {
    /// What passed.
    package enum Traffic: Hashable, Sendable {
        /// A CTAP2 request, or a U2F message.
        case request([UInt8], isU2F: Bool)
        /// The key says what it is doing.
        case keepalive(KeepaliveStatus)
        /// libfido2 gives up.
        case cancel
        /// The answer to the request.
        case answer([UInt8])
        /// The key answered with a CTAPHID error instead.
        case error(UInt8)
        /// The key is gone.
        case lost(CTAPDeviceError)
    }

    /// The message that is being put together in one direction.
    private struct Direction {
        var assembler: CTAPHIDAssembler?

        /// The message that a report completes.
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
        /// The channel libfido2 was given; what comes on others is other programs'.
        var channel: CTAPHIDChannel?
    }

    private let cable: any ReportCable
    private let onTraffic: @Sendable (Traffic) -> Void
    private let state = Mutex(State())

    package init(_ cable: any ReportCable, onTraffic: @escaping @Sendable (Traffic) -> Void) {
        self.cable = cable
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
        return cable.write(report)
    }

    package func read(within milliseconds: Int) throws(CTAPDeviceError) -> [UInt8]? {
        let report: [UInt8]
        do {
            guard let next = try cable.read(within: milliseconds) else { return nil }
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
