import Attestation
import Biometrics
import COSE
import DeviceProfiles
import PlatformErrors
import ProfileFiles
import SampleGates
import SimulatedDevice
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("The profiles that come with the project")
struct ShippedProfilesTests {
    @Test func everyProfileHasTheNameOfItsFile() throws {
        let names = try Shop.library.files().map { try ProfileLibrary.read($0).name }
        #expect(names == Shop.names)
    }

    @Test(arguments: Shop.names)
    func everyProfileHasATitleSourcesAndNoUndefinedVersion(name: String) throws {
        let profile = try Shop.library.profile(name)
        #expect(!profile.title.isEmpty)
        #expect(!profile.summary.isEmpty)
        #expect(!profile.sources.isEmpty)
        #expect(!profile.authenticator.versions.contains("FIDO_2_2"))
        #expect(profile.authenticator.isBackupEligible || !profile.authenticator.isBackedUp)
    }

    @Test(arguments: Shop.names)
    func everyMetadataStatementIsComplete(name: String) async throws {
        let profile = try Shop.library.profile(name)
        let statement = try await profile.metadataStatement()
        // A key of U2F alone has no AAGUID.
        let isU2FAlone = !profile.authenticator.answersCTAP2
        #expect((statement.subject == .model(profile.authenticator.aaguid)) == !isU2FAlone)
        #expect(statement.description == profile.title)
        #expect(
            statement.rootCertificates.isEmpty
                == profile.authenticator.attestation.allSatisfy { $0.format == "none" || $0 == .packed })
        #expect(try statement.json.contains("\"authenticatorGetInfo\"") == !isU2FAlone)
        #expect(!statement.userVerification.isEmpty)
    }

    /// Synced passkeys, as in the public lists.
    @Test(arguments: [
        ("iphone-face-id", Platform.ios, "fbfc3007-154e-4ecc-8c0b-6e020557d7bd"),
        ("iphone-touch-id", .ios, "fbfc3007-154e-4ecc-8c0b-6e020557d7bd"),
        ("ipad-face-id", .ios, "fbfc3007-154e-4ecc-8c0b-6e020557d7bd"),
        ("ipad-touch-id", .ios, "fbfc3007-154e-4ecc-8c0b-6e020557d7bd"),
        ("pixel-fingerprint", .android, "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4"),
    ])
    func phonesKeepSyncedPasskeys(name: String, platform: Platform, aaguid: String) throws {
        let profile = try Shop.library.profile(name)
        let authenticator = profile.authenticator
        #expect(profile.platform == platform)
        #expect(authenticator.aaguid.description == aaguid)
        #expect(authenticator.attestation == [.none])
        #expect(authenticator.algorithms == [.es256])
        #expect(authenticator.transports == [.internal, .hybrid])
        #expect(authenticator.counterMode == .none)
        #expect(authenticator.isBackupEligible && authenticator.isBackedUp)
        #expect(authenticator.isPlatform && authenticator.hasDisplay)
        #expect(authenticator.discoverability == .always)
        #expect(!authenticator.supportsClientPIN)
    }

    @Test func iPhonesAndIPadsLockAtFiveAndAcceptThePasscodeInstead() throws {
        for (name, perPrompt, fallback, modality) in [
            ("iphone-face-id", 2, 2, BiometricModality.face), ("iphone-touch-id", 3, 1, .fingerprint),
            ("ipad-face-id", 2, 2, .face), ("ipad-touch-id", 3, 1, .fingerprint),
        ] {
            let profile = try Shop.library.profile(name)
            let lockout = try #require(profile.lockout)
            #expect(lockout.attemptsPerPrompt == perPrompt)
            #expect(lockout.fallbackOfferedAfter == fallback)
            #expect(lockout.lockout.permanentAt == 5)
            #expect(lockout.lockout.timedEvery == nil)
            #expect(lockout.deviceCredentialFallback)
            #expect(lockout.credentialAttemptsPerPrompt == 6)
            #expect(lockout.invalidationRule == .anyChange)
            #expect(lockout.strongAuthentication == StrongAuthenticationRule.apple)
            #expect(lockout.credentialLockout == .apple)
            #expect(lockout.powerCycleRequiresCredential)
            #expect(lockout.requiresAttention == (modality == .face))
            #expect(profile.unverified.contains("device-credential.delays"))
            #expect(profile.sensor?.modality == modality)
            #expect(profile.deviceCredential == .passcode)
        }
    }

    @Test func thePixelLocksForThirtySecondsEveryFiveAndPermanentlyAtTwenty() throws {
        let profile = try Shop.library.profile("pixel-fingerprint")
        let lockout = try #require(profile.lockout)
        #expect(lockout.attemptsPerPrompt == nil)
        #expect(lockout.lockout.timedEvery == 5)
        #expect(lockout.lockout.timedDuration == .seconds(30))
        #expect(lockout.lockout.permanentAt == 20)
        #expect(lockout.strongAuthentication == StrongAuthenticationRule.android)
        #expect(lockout.strongAuthenticationAt == .unlockPrompt)
        #expect(lockout.deviceCredentialFallback && lockout.templatesNeedCredential && lockout.passiveSensorsPause)
        #expect(lockout.confirmation == .appDecides && lockout.powerCycleRequiresCredential)
        #expect(!lockout.badCaptureCounts)
        #expect(lockout.invalidationRule == .enrolledOrAllRemoved)
        #expect(profile.sensor?.strengthClass == .class3)
    }

    @Test func securityKeysAreDeviceBound() throws {
        for name in ["security-key-bio", "security-key-pin"] {
            let profile = try Shop.library.profile(name)
            let authenticator = profile.authenticator
            #expect(profile.platform == .securityKey)
            #expect(!authenticator.isPlatform && !authenticator.isBackupEligible && !authenticator.hasDisplay)
            #expect(authenticator.supportsClientPIN)
            #expect(authenticator.maxPINRetries == 8)
            #expect(authenticator.minPINLength == 4)
            #expect(authenticator.resetWindow == .seconds(10))
            #expect(authenticator.attestation == [.packed])
            #expect((profile.sensor == nil) == (name == "security-key-pin"))
        }
        let bio = try Shop.library.profile("security-key-bio")
        #expect(bio.lockout?.lockout.permanentAt == 3)
        #expect(bio.lockout?.timeoutCounts == true)
        #expect(bio.authenticator.preferredPlatformUVAttempts == 3)
        #expect(try Shop.library.profile("security-key-pin").gate == nil)
    }
}
