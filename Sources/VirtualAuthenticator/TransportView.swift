public import CTAP

extension VirtualAuthenticator {
    /// This device as it is reached over one transport, for the rules that depend on it (CTAP 2.3 §6.6,
    /// transportsForReset).
    public nonisolated func reached(over transport: String) -> some CTAPDevice & PowerCyclable {
        TransportView(authenticator: self, transport: transport)
    }
}

private struct TransportView: CTAPDevice, PowerCyclable {
    let authenticator: VirtualAuthenticator
    let transport: String

    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        await authenticator.transceive(message, over: transport, onKeepalive: onKeepalive)
    }

    func powerCycle() async { await authenticator.powerCycle() }
}
