package import HybridTunnel
package import Radio

/// The way between a phone and another end: the radio that shows they are near, and the tunnel service.
package struct HybridWay: Sendable {
    package let radio: any AdvertChannel
    package let tunnel: any TunnelOpener

    private let ending: @Sendable () async -> Void

    /// - Parameter ending: what ``close()`` does.
    package init(
        radio: any AdvertChannel, tunnel: any TunnelOpener, ending: @escaping @Sendable () async -> Void = {}
    ) {
        (self.radio, self.tunnel, self.ending) = (radio, tunnel, ending)
    }

    /// Ends what the way keeps open, such as a radio of its own.
    package func close() async { await ending() }
}
