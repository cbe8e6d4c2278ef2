public import CTAP
public import WebAuthn

extension VirtualAuthenticator {
    /// This device as it is reached over one transport, for the rules that depend on it: where a reset is accepted
    /// (CTAP 2.3 §6.6, transportsForReset), and the evidence of presence over NFC (§5).
    public nonisolated func reached(over transport: AuthenticatorTransport) -> some CTAPDevice & PowerCyclable
        & U2FDevice
    {
        TransportView(authenticator: self, transport: transport)
    }

    /// This device as its own platform reaches it, for a conditional create (WebAuthn L3 §5.1.3).
    ///
    /// There MakeCredential with the option `up` false makes a credential without the user: UP and UV are clear. Over a
    /// transport the device refuses the option (CTAP 2.3 §6.1.2 step 5).
    public nonisolated var reachedByItsPlatform: some CTAPDevice {
        InterceptedDevice(self) { authenticator, message, onKeepalive in
            await authenticator.transceive(message, RequestContext(isFromPlatform: true, onKeepalive: onKeepalive))
        }
    }
}

private struct TransportView: CTAPDevice, PowerCyclable, U2FDevice {
    let authenticator: VirtualAuthenticator
    let transport: AuthenticatorTransport

    var answersCTAP2: Bool { authenticator.answersCTAP2 }

    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        await authenticator.transceive(message, RequestContext(transport: transport, onKeepalive: onKeepalive))
    }

    func answerU2F(_ apdu: [UInt8]) async -> [UInt8] {
        await authenticator.answerU2F(apdu, RequestContext(transport: transport))
    }

    func powerCycle() async { await authenticator.powerCycle() }
}
