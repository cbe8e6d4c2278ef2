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
        environment.chooseAccount = { [authenticator] in await authenticator.choose(among: $0) }
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

extension VirtualAuthenticator {
    /// Asks the device's user to choose in the client's dialog, which a device without a display leaves to it.
    fileprivate func choose(among accounts: [Account]) async -> Int? {
        let users = accounts.map {
            PublicKeyCredentialUserEntity(id: $0.userHandle ?? [], name: $0.name, displayName: $0.displayName)
        }
        return await environment.user.choose(
            AccountPrompt(
                relyingPartyID: accounts.first?.relyingPartyID ?? "", accounts: users,
                deadline: environment.time.now() + configuration.userActionTimeout))
    }
}
