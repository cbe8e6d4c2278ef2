import Biometrics
import COSE
import CTAP
import Causes
import DeviceProfiles
import Faults
import PlatformErrors
import ProfileFiles
import SimulatedDevice
import Testing
import VirtualAuthenticator

/// Faults of a phone's system, and of the provider on it.
@Suite("Faults of a system")
struct PlatformFaultTests {
    private static func fault(_ name: String) throws -> Fault { try Fault(parsing: name) }

    private static let secret: [UInt8] = [1, 2, 3]

    @Test("A restart takes the keys that need a verification", arguments: ["pixel-fingerprint", "iphone-face-id"])
    func keyLostAtReboot(profile: String) async throws {
        let phone = try Device(profile)
        let device = phone.device
        try await device.arm(Self.fault("key-lost-at-reboot"), times: 1)
        try await phone.storage.store(Self.secret, as: "guarded", protection: .init(.currentSet))
        try await phone.storage.store(Self.secret, as: "open", protection: .init(.none))
        #expect(await phone.storage.read("guarded") == .success(Self.secret))
        for expected in [Cause.keyInvalidated, nil] {
            try await device.reboot()
            try await phone.unlockAgain()
            #expect(await phone.storage.read("guarded").cause == expected)
            #expect(await phone.storage.read("open") == .success(Self.secret))
            try await phone.storage.store(Self.secret, as: "guarded", protection: .init(.currentSet))
        }
        #expect(await device.armedFaults.isEmpty)
    }

    @Test("Clearing the armed faults leaves the profile's own")
    func profilesFaultsStay() async throws {
        let key = try Device("yubikey-5-nfc-5.7").device
        try await key.arm(Self.fault("counter-stuck"))
        try await key.arm(Self.fault("signature"), times: 2)
        await key.clearArmedFaults()
        #expect(await key.armedFaults == ["pin-retries-without-pin, of the profile"])
    }

    @Test("A matched prompt leaves the item closed", arguments: ["pixel-fingerprint", "iphone-touch-id"])
    func keyStaysClosed(profile: String) async throws {
        let phone = try Device(profile)
        try await phone.storage.store(Self.secret, as: "guarded", protection: .init(.currentSet))
        try await phone.storage.store(Self.secret, as: "open", protection: .init(.none))
        try await phone.device.arm(Self.fault("key-stays-closed"), times: 1)
        #expect(await phone.storage.read("open") == .success(Self.secret))
        #expect(await phone.storage.read("guarded").cause == .userNotAuthenticated)
        #expect(phone.person.verificationPrompts == 1)
        #expect(await phone.storage.read("guarded") == .success(Self.secret))
    }

    @Test("canAuthenticate answers what the fault says, and the prompt opens or not")
    func biometricManager() async throws {
        let phone = try Device("pixel-fingerprint")
        for (name, cause, prompt) in [
            ("biometric-status-unknown", Cause.statusUnknown, nil),
            ("authenticators-unsupported", .authenticatorsUnsupported, Cause.authenticatorsUnsupported),
        ] {
            try await phone.device.arm(Self.fault(name))
            let error = await #expect(throws: DeviceRefusal.self) {
                try await phone.device.checkVerification(AppPrompt())
            }
            #expect(error?.cause == cause)
            #expect(await phone.device.verifyUser(AppPrompt()).cause == prompt)
            await phone.device.clearFaults()
            try await phone.device.checkVerification(AppPrompt())
        }
    }

    @Test("A device without the system refuses its faults, and so does a profile")
    func otherDevices() async throws {
        for (profile, name) in [
            ("security-key-pin", "key-lost-at-reboot"), ("iphone-face-id", "biometric-status-unknown"),
            ("windows-hello-pin", "authenticators-unsupported"),
        ] {
            let device = try Device(profile)
            await #expect(throws: DeviceRefusal.self) { try await device.device.arm(Self.fault(name)) }
            let text = try Shop.library.profile(profile).text + "\nfaults: [\(name)]\n"
            #expect(throws: (any Error).self) { try DeviceProfile(parsing: text, file: "\(profile).yaml") }
        }
    }

    @Test(
        "A provider without its account makes no passkey and finds none",
        arguments: [("no-account", Cause.googleSignInMissing), ("no-sync-account", .syncAccountUnavailable)])
    func accounts(name: String, cause: Cause) async throws {
        let phone = try Device("pixel-fingerprint")
        try await phone.register()
        try await phone.device.arm(Self.fault(name))
        await #expect(throws: AuthenticatorClient.Failure.self) { try await phone.register(user: "other") }
        #expect(
            phone.device.log.all.contains { event in
                if case .answer(.makeCredential, .operationDenied, let refusal?) = event.kind {
                    refusal.cause == cause
                } else {
                    false
                }
            })
        #expect(try await phone.signIn() == Device.Outcome(.noCredentials, .noCredentials))
        await phone.device.clearFaults()
        #expect(try await phone.signIn() == .ok)
    }

    /// keepassxreboot/keepassxc#10406: UV is set whatever the relying party requests; the user only clicks.
    @Test("KeePassXC sets UV without a verification", arguments: [["uv": true], [:]])
    func claimedVerification(options: [String: Bool]) async throws {
        let computer = try Device("keepassxc")
        let made = try await computer.client.makeCredential(
            MakeCredentialRequest(
                clientDataHash: [UInt8](repeating: 1, count: 32), rp: PublicKeyCredentialRPEntity(id: "example.com"),
                user: PublicKeyCredentialUserEntity(id: [1]),
                pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .es256)], options: ["uv": true]))
        let got = try await computer.client.getAssertion(
            GetAssertionRequest(
                relyingPartyID: "example.com", clientDataHash: [UInt8](repeating: 1, count: 32), options: options))
        #expect(made.authenticatorData[32] & 0x05 == 0x05)
        #expect(got.authenticatorData[32] & 0x05 == 0x05)
        #expect(computer.person.verificationPrompts == 0)
        #expect(computer.person.presencePrompts == 2)
    }
}
