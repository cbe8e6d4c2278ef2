internal import CTAPHybrid
package import HybridTunnel
package import Radio

/// The way between a phone and another end: the radio that shows they are near, and the tunnel service.
package struct HybridWay: Sendable {
    package let radio: any AdvertChannel
    package let tunnel: TunnelClient

    package init(radio: any AdvertChannel, tunnel: TunnelClient) { (self.radio, self.tunnel) = (radio, tunnel) }
}

extension TunnelError {
    /// The HTTP status of the service's refusal; nil where it was not reached.
    var status: Int? {
        if case .refused(let status, _) = self { status } else { nil }
    }
}
