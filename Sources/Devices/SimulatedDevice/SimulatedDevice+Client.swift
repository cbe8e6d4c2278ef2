package import CTAP
internal import DeviceProfiles
package import VirtualAuthenticator
internal import WebAuthn
package import WebAuthnClient

extension SimulatedDevice {
    /// The WebAuthn client of a page or an app that uses the device.
    ///
    /// It passes malformed data on: the relying party under test must see the responses of a broken authenticator.
    ///
    /// - Parameter random: the client's own source; one that drew from the device's would change the device's numbers.
    package func client(
        over connection: any CTAPDevice, pins: PINScript, random: any RandomSource,
        configure: (inout ClientEnvironment) -> Void = { _ in }
    ) -> WebAuthnClient {
        var environment = ClientEnvironment(randomBytes: random.bytes, now: authenticator.environment.time.now)
        environment.enterPIN = { _ in pins.next() }
        environment.passesMalformedData = true
        if authenticator.configuration.createsConditionally {
            environment.platformDevice = authenticator.reachedByItsPlatform
        }
        configure(&environment)
        // The page sees a key of U2F alone through its platform.
        let translated: (any CTAPDevice)? = connection.answersCTAP2 ? nil : u2f.map { U2FTranslator($0) }
        return WebAuthnClient(
            device: translated ?? connection, attachment: profile.authenticator.isPlatform ? .platform : .crossPlatform,
            environment: environment)
    }
}
