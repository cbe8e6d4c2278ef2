package import HybridTunnel
package import Radio

/// The way between a phone and another end: the radio that shows they are near, and the tunnel service.
package struct HybridWay: Sendable {
    package let radio: any AdvertChannel
    package let tunnel: any TunnelOpener
    /// The way on which a linked phone learns of contacts; nil for none.
    package let contacts: (any ContactSource)?

    private let ending: @Sendable () async -> Void

    /// - Parameter ending: what ``close()`` does.
    package init(
        radio: any AdvertChannel, tunnel: any TunnelOpener, contacts: (any ContactSource)? = nil,
        ending: @escaping @Sendable () async -> Void = {}
    ) {
        (self.radio, self.tunnel, self.contacts, self.ending) = (radio, tunnel, contacts, ending)
    }

    /// Ends what the way keeps open, such as a radio of its own.
    package func close() async { await ending() }
}
