internal import CBOR

/// A way for the data between phone and other end (CTAP 2.3 §11.5.1).
package struct TransportChannel: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// A WebSocket through a tunnel service.
    package static let webSocket = TransportChannel(rawValue: 0)
    /// A Bluetooth Low Energy L2CAP channel.
    package static let bluetooth = TransportChannel(rawValue: 1)
}

/// Key 6 of a QR code, which has two meanings.
package enum QRKeySix: Hashable, Sendable {
    /// The supported channels, in order of preference (CTAP 2.3).
    case channels([TransportChannel])
    /// Whether MakeCredential may ask for a credential that is not discoverable; the meaning before CTAP 2.3.
    case supportsNonDiscoverable(Bool)

    var value: CBOR.Value {
        switch self {
        case .channels(let channels): .array(channels.map { .unsigned($0.rawValue) })
        case .supportsNonDiscoverable(let flag): .bool(flag)
        }
    }

    init(_ value: CBOR.Value) throws(QRError) {
        switch value {
        case .bool(let flag): self = .supportsNonDiscoverable(flag)
        case .array(let items):
            var channels: [TransportChannel] = []
            for item in items {
                guard case .unsigned(let number) = item else { throw .channelNotANumber(item.kind) }
                channels.append(TransportChannel(rawValue: number))
            }
            self = .channels(channels)
        default: throw .wrongType(.channels, found: value.kind)
        }
    }
}
