import Attestation
import Biometrics
import COSE
import CTAP
import DeviceProfiles
import PlatformErrors
import ProfileFiles
import SimulatedDevice
import Testing
import VirtualAuthenticator
import WebAuthn

/// The facts of public sources about each model, compared with its profile.
@Suite("Properties of each model that relying parties see")
struct ProfileTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String, aaguid: String, statement: AttestationKind, transports: [String]
        let counter: AuthenticatorConfiguration.CounterMode, synced: Bool

        init(
            _ name: String, _ aaguid: String, _ statement: AttestationKind, _ transports: [String],
            _ counter: AuthenticatorConfiguration.CounterMode, synced: Bool
        ) {
            self.name = name
            self.aaguid = aaguid
            self.statement = statement
            self.transports = transports
            self.counter = counter
            self.synced = synced
        }

        var testDescription: String { name }
    }

    private static let both = ["internal", "hybrid"]
    private static let own = ["internal"]
    private static let apple = "fbfc3007-154e-4ecc-8c0b-6e020557d7bd"

    static let platforms: [Row] = [
        Row("iphone-face-id", apple, .none, both, .none, synced: true),
        Row("iphone-touch-id", apple, .none, both, .none, synced: true),
        Row("ipad-face-id", apple, .none, both, .none, synced: true),
        Row("ipad-touch-id", apple, .none, both, .none, synced: true),
        Row("macbook-touch-id", apple, .none, both, .none, synced: true),
        Row("mac-touch-id-keyboard", apple, .none, both, .none, synced: true),
        Row("iphone-face-id-older", "00000000-0000-0000-0000-000000000000", .none, both, .none, synced: true),
        Row("icloud-keychain-managed", "dd4ec289-e01d-41c9-bb89-70fa845d4bf2", .packedBasic, own, .none, synced: true),
        Row("chrome-mac-profile", "adce0002-35bc-c60a-648b-0b25f1f05503", .none, own, .none, synced: false),
        Row(
            "chrome-mac-profile-older", "adce0002-35bc-c60a-648b-0b25f1f05503", .packed, own, .timestamp, synced: false),
        Row("edge-mac-profile", "771b48fd-d3d4-4f74-9232-fc157ab0507a", .none, own, .none, synced: false),
        Row("chromium-browser", "b5397666-4885-aa6b-cebf-e52262a439a2", .none, own, .none, synced: false),
        Row("pixel-fingerprint", "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4", .none, both, .none, synced: true),
        Row("pixel-face-and-fingerprint", "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4", .none, both, .none, synced: true),
        Row("virtual-hal-fingerprint", "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4", .none, both, .none, synced: true),
        Row("pixel-face-class-3", "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4", .none, both, .none, synced: true),
        Row("pixel-face-class-1", "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4", .none, both, .none, synced: true),
        Row("android-face-older", "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4", .none, both, .none, synced: true),
        Row(
            "google-password-manager-desktop", "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4", .none, both, .none, synced: true),
        Row(
            "android-device-bound", "b93fd961-f2e6-462f-b122-82002247de78", .androidKey, own, .perCredential,
            synced: false),
        Row("samsung-fingerprint", "53414d53-554e-4700-0000-000000000000", .packedBasic, own, .none, synced: false),
        Row("samsung-fingerprint-2025", "53414d53-554e-4700-0000-000000000000", .none, both, .none, synced: true),
        Row("vancosys-android", "39a5647e-1853-446c-a1f6-a79bae9f5bc7", .packedBasic, both, .global, synced: false),
        Row("windows-hello-face", "08987058-cadc-4b81-b6e1-30de50dcbe96", .tpmRS1, own, .perCredential, synced: false),
        Row(
            "windows-hello-fingerprint", "08987058-cadc-4b81-b6e1-30de50dcbe96", .tpmRS1, own, .perCredential,
            synced: false),
        Row("windows-hello-pin", "08987058-cadc-4b81-b6e1-30de50dcbe96", .tpmRS1, own, .perCredential, synced: false),
        Row("windows-hello-vbs", "9ddd1817-af5a-4672-a2b9-3e3dd95000a9", .tpmRS1, own, .perCredential, synced: false),
        Row(
            "windows-hello-software", "6028b017-b1d4-4c02-b4b3-afcdafc96bb2", .none, own, .perCredential, synced: false),
        Row(
            "windows-hello-vbs-software", "6e96969e-a5cf-4aad-9b56-305fe6c82795", .none, own, .perCredential,
            synced: false),
        Row("microsoft-password-manager", "d3452668-01fd-4c12-926c-83a4204853aa", .none, both, .none, synced: true),
        Row("1password", "bada5566-a7aa-401f-bd96-45619a55120d", .none, both, .none, synced: true),
        Row("dashlane", "531126d6-e717-415c-9320-3d9aa6981239", .none, both, .none, synced: true),
        Row("bitwarden", "d548826e-79b4-db40-a3d8-11116f7e8349", .none, both, .none, synced: true),
        Row("bitwarden-older", "d548826e-79b4-db40-a3d8-11116f7e8349", .none, both, .perCredential, synced: true),
        Row("proton-pass", "50726f74-6f6e-5061-7373-50726f746f6e", .none, both, .none, synced: true),
        Row("keepassxc", "fdb141b2-5d84-443e-8a35-4698c205a502", .none, both, .none, synced: true),
        Row(
            "microsoft-authenticator-ios", "90a3ccdf-635c-4729-a248-9b709135078f", .packedBasic, both, .none,
            synced: false),
        Row(
            "microsoft-authenticator-android", "de1e552d-db1d-4423-a619-566b625cdc84", .androidKey, both, .none,
            synced: false),
    ]

    private static let reader = ["nfc", "usb"]

    static let keys: [Row] = [
        Row("yubikey-5-nfc-5.4", "2fc0579f-8113-47ea-b116-bb5a8db9202a", .packedBasic, reader, .global, synced: false),
        Row("yubikey-5-nfc-5.7", "a25342c0-3cdc-4414-8e46-f4807fca511c", .packedBasic, reader, .global, synced: false),
        Row(
            "yubikey-5-nfc-5.7-second", "d7781e5d-e353-46aa-afe2-3ca49f13332a", .packedBasic, reader, .global,
            synced: false),
        Row(
            "yubikey-5-nfc-5.7-enterprise", "1ac71f64-468d-4fe0-bef1-0e5f2f551f18", .packedBasic, reader, .global,
            synced: false),
        Row(
            "yubikey-5-nfc-5.7-enhanced-pin", "662ef48a-95e2-4aaa-a6c1-5b9c40375824", .packedBasic, reader, .global,
            synced: false),
        Row("yubikey-bio", "d8522d9f-575b-4866-88a9-ba99fa02f35b", .packedBasic, ["usb"], .global, synced: false),
        Row("yubikey-bio-5.7", "dd86a2da-86a0-4cbe-b462-4bd31f57bc6f", .packedBasic, ["usb"], .global, synced: false),
        Row(
            "yubikey-bio-5.7-second", "7409272d-1ff9-4e10-9fc9-ac0019c124fd", .packedBasic, ["usb"], .global,
            synced: false),
        Row("security-key-nfc", "a4e9fc6d-4cbe-4758-b8ba-37598bb5bbaa", .packedBasic, reader, .global, synced: false),
        Row(
            "security-key-nfc-5.7", "e77e3c64-05e3-428b-8824-0cbeb04b829d", .packedBasic, reader, .global, synced: false
        ),
        Row(
            "security-key-nfc-enterprise", "0bb43545-fd2c-4185-87dd-feb0b2916ace", .packedBasic, reader, .global,
            synced: false),
        Row("solo-1", "8876631b-d4a0-427f-5773-0ec71c9e0279", .packedBasic, ["usb"], .global, synced: false),
        Row("nitrokey-3", "ec99db19-cd1f-4c06-a2a9-940f17a6a30b", .packedBasic, reader, .global, synced: false),
        Row("nitrokey-3a-mini", "2cd2f727-f6ca-44da-8f48-5c2e5da000a2", .packedBasic, ["usb"], .global, synced: false),
        Row("titan-v2", "42b4fb4a-2866-43b2-9bf7-6c6669c2e5d3", .packedBasic, reader, .global, synced: false),
        Row("feitian-biopass", "77010bd7-212a-4fc9-b236-d2ca5e9d4084", .packedBasic, ["usb"], .global, synced: false),
        Row(
            "feitian-biopass-plus", "b6ede29c-3772-412c-8a78-539c1f4c62d2", .packedBasic, ["usb"], .global,
            synced: false),
        Row(
            "nitrokey-3-firmware-1.7", "ec99db19-cd1f-4c06-a2a9-940f17a6a30b", .packedBasic, reader, .global,
            synced: false),
        Row(
            "pone-offpad", "69700f79-d1fb-472e-bd9b-a3a3b9a9eda0", .packedBasic, ["ble", "nfc"], .global, synced: false),
        Row(
            "feitian-multipass", "310b2830-bd4a-4da5-832e-9a0dfc90abf2", .packedBasic, ["usb", "nfc", "ble"], .global,
            synced: false),
        Row(
            "feitian-multipass-u2f", "00000000-0000-0000-0000-000000000000", .fidoU2F, ["usb", "nfc", "ble"], .global,
            synced: false),
        Row(
            "token2-t2f2", "ab32f0c6-2239-afbb-c470-d2ef4e254db7", .packedBasic, ["usb"], .perCredential, synced: false),
        Row("excelsecu-esecu", "cdbdaea2-c415-5073-50f7-c04e968640b6", .packedBasic, ["usb"], .global, synced: false),
        Row(
            "excelsecu-esecu-fingerprint", "20f0be98-9af9-986a-4b42-8eca4acb28e4", .packedBasic, ["usb"], .global,
            synced: false),
        Row("trustkey-g310h", "95442b2e-f15e-4def-b270-efb106facb4e", .packedBasic, ["usb"], .global, synced: false),
        Row(
            "chrome-virtual-authenticator", "01020304-0506-0708-0102-030405060708", .packed, ["usb"], .perCredential,
            synced: false),
    ]

    @Test(arguments: platforms + keys)
    func aModelMatchesThePublicSources(row: Row) throws {
        let profile = try Shop.library.profile(row.name)
        let authenticator = profile.authenticator
        #expect(authenticator.aaguid.description == row.aaguid)
        #expect(authenticator.attestation == [row.statement])
        #expect(Set(authenticator.transports.map(\.rawValue)) == Set(row.transports))
        #expect(authenticator.counterMode == row.counter)
        #expect(authenticator.isBackupEligible == row.synced && authenticator.isBackedUp == row.synced)
        #expect(authenticator.isPlatform == row.transports.contains("internal"))
    }

    /// peterferguson/react-native-passkeys#58, mdn/browser-compat-data#27018, keepassxreboot/keepassxc#13039.
    @Test(
        "A provider has prf and large blobs, or lacks them, as its reports say",
        arguments: [
            ("iphone-face-id", true, true), ("iphone-touch-id", true, true), ("macbook-touch-id", true, true),
            ("icloud-keychain-managed", true, true), ("iphone-face-id-older", false, true),
            ("pixel-fingerprint", true, false), ("pixel-face-class-3", true, false),
            ("google-password-manager-desktop", true, false), ("samsung-fingerprint", false, false),
            ("keepassxc", false, false), ("bitwarden", false, false), ("chrome-mac-profile", false, false),
        ])
    func extensions(name: String, prf: Bool, largeBlob: Bool) throws {
        let extensions = try Shop.library.profile(name).authenticator.extensions
        #expect(extensions.contains(.hmacSecret) == prf)
        #expect(extensions.contains(.largeBlob) == largeBlob)
    }

    /// The settings that no source confirms are marked in the profile.
    @Test(arguments: [
        ("icloud-keychain-managed", "authenticator.attestation"), ("chrome-mac-profile", "authenticator.attestation"),
        ("edge-mac-profile", "authenticator.backup"), ("chromium-browser", "authenticator.backup"),
        ("samsung-fingerprint", "authenticator.counter"), ("pone-offpad", "authenticator.extensions"),
        ("android-device-bound", "authenticator.attestation"), ("windows-hello-face", "authenticator.attestation"),
        ("windows-hello-vbs", "authenticator.algorithms"), ("microsoft-password-manager", "authenticator.attestation"),
        ("google-password-manager-desktop", "device-credential"), ("iphone-touch-id", "authenticator.algorithms"),
    ])
    func unconfirmedSettingsAreMarked(name: String, path: String) throws {
        #expect(try Shop.library.profile(name).unverified.contains(path))
    }

    @Test(arguments: Shop.names)
    func markedSettingsExist(name: String) throws {
        let profile = try Shop.library.profile(name)
        for path in profile.unverified {
            let key = try #require(path.split(separator: ".").last)
            #expect(profile.text.contains("\(key):"), "\(path)")
        }
    }

    @Test(
        arguments: [
            ("macbook-touch-id", Platform.macos, 3, nil, 5), ("android-face-older", .android, nil, 3, 12),
            ("samsung-fingerprint", .android, nil, 5, 20), ("windows-hello-face", .windows, 10, nil, 10),
            ("1password", .ios, 2, nil, 5), ("pixel-face-class-1", .android, nil, 5, 20),
            ("pixel-face-class-3", .android, nil, 3, 5),
        ] as [(String, Platform, Int?, Int?, Int)])
    func sensorsLockLikeTheirPlatforms(name: String, platform: Platform, perPrompt: Int?, timed: Int?, permanent: Int)
        throws
    {
        let profile = try Shop.library.profile(name)
        #expect(profile.platform == platform)
        #expect(profile.lockout?.attemptsPerPrompt == perPrompt)
        #expect(profile.lockout?.lockout.timedEvery == timed)
        #expect(profile.lockout?.lockout.permanentAt == permanent)
    }

    @Test func faceSensorsHaveDifferentClasses() throws {
        let classes = try ["pixel-face-class-3", "android-face-older", "pixel-face-class-1"].map {
            try Shop.library.profile($0).sensor?.strengthClass
        }
        #expect(classes == [.class3, .class2, .class1])
    }

    @Test func aDeviceWithoutASensorHasItsPIN() throws {
        for name in ["windows-hello-pin", "google-password-manager-desktop", "keepassxc"] {
            let profile = try Shop.library.profile(name)
            #expect(profile.sensor == nil)
            #expect(profile.deviceCredential != nil && profile.lockout?.deviceCredentialFallback == true)
        }
    }

    @Test(arguments: [
        ("iphone-face-id", DeviceKind.phone), ("macbook-touch-id", .computer), ("windows-hello-pin", .computer),
        ("bitwarden", .passwordManager), ("microsoft-authenticator-ios", .passwordManager), ("titan-v2", .securityKey),
        ("security-key-complete", .testDevice), ("chrome-virtual-authenticator", .testDevice),
    ])
    func everyProfileHasItsKind(name: String, kind: DeviceKind) throws {
        #expect(try Shop.library.profile(name).kind == kind)
    }

    // MARK: Counters

    private static func counts(_ name: String) async throws -> [UInt32] {
        let device = try Device(name)
        _ = try await device.client.makeCredential(
            MakeCredentialRequest(
                clientDataHash: [UInt8](repeating: 1, count: 32), rp: PublicKeyCredentialRPEntity(id: "example.com"),
                user: PublicKeyCredentialUserEntity(id: [1]),
                pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .es256)],
                options: ["uv": true, "rk": true]))
        device.clock.advance(by: .seconds(90))
        for _ in 1...2 {
            let outcome = try await device.signIn()
            #expect(outcome == .ok)
        }
        return device.device.log.all.compactMap { if case .counter(let value) = $0.kind { value } else { nil } }
    }

    @Test func theFirstCounterOfWindowsHelloIsTwo() async throws {
        #expect(try await Self.counts("windows-hello-face") == [2, 3])
        #expect(try await Self.counts("android-device-bound") == [1, 2])
    }

    @Test func olderCredentialsOfChromeOnMacCountSeconds() async throws {
        let start: UInt32 = 1_767_225_600
        #expect(try await Self.counts("chrome-mac-profile-older") == [start, start + 90, start + 90])
        #expect(try await Self.counts("chrome-mac-profile") == [])
    }

    @Test func olderCredentialsOfBitwardenHaveACounter() async throws {
        #expect(try await Self.counts("bitwarden-older") == [1, 2])
        #expect(try await Self.counts("bitwarden") == [])
    }
}
