internal import DeviceHost
internal import DeviceProfiles
package import Documents
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

extension ControlServer {
    /// The answer of `getClientCapabilities()` in a browser with a device (WebAuthn L3 §5.1.7).
    ///
    /// - Parameter name: the device's name; nil for a browser without one.
    package func clientCapabilities(of name: String?) async -> JSONValue {
        let device = try? await fleet.device(name ?? "")
        let transports = device?.profile.authenticator.transports ?? []
        let isPlatform = transports.contains(.internal)
        let verifies = await device?.host.report().gate?.isConfigured ?? false
        let createsConditionally = await device?.page.isConditionalCreateAvailable ?? false
        return [
            "conditionalCreate": .bool(createsConditionally), "conditionalGet": .bool(device != nil),
            "hybridTransport": .bool(transports.contains(.hybrid)), "passkeyPlatformAuthenticator": .bool(isPlatform),
            "relatedOrigins": false, "signalAllAcceptedCredentials": true, "signalCurrentUserDetails": true,
            "signalUnknownCredential": true, "userVerifyingPlatformAuthenticator": .bool(isPlatform && verifies),
        ]
    }
}
