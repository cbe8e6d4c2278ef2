import Biometrics
import CTAP
import DeviceProfiles
import Foundation
import KnownKeys
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

/// The data files that come with the project, and the profiles that are held to them.
@Suite("Known keys and their profiles")
struct ShippedKeysTests {
    static let names = [
        "feitian-biopass", "nitrokey-3", "opensk", "security-key-nfc", "security-key-nfc-5.7", "solo-1", "solo-2",
        "titan-v2", "token2-t2f2-dual", "yubikey-5-nfc-5.4", "yubikey-5-nfc-5.7", "yubikey-bio", "yubikey-bio-5.7",
    ]

    static let profiles = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)

    @Test func everyKeyHasTheNameOfItsFile() throws {
        #expect(try Set(KnownKeyComparisonTests.library.keys().map(\.name)) == Set(Self.names))
        #expect(try KnownKeyLibrary.standard().keys().count == Self.names.count)
    }

    @Test(arguments: names)
    func everyKeyCitesItsSources(name: String) throws {
        let key = try KnownKeyComparisonTests.library.key(named: name)
        #expect(!key.sources.isEmpty)
        #expect(key.quirks.allSatisfy { !$0.source.isEmpty })
        #expect(!key.models.isEmpty || !key.usb.isEmpty)
        #expect(key.limits.pinRetries == 8)
        // Each unverified fact has a name in the file.
        let text = try String(
            contentsOf: PackageRoot.url.appending(path: "hardware/keys/\(name).yaml"), encoding: .utf8)
        for path in key.unverified {
            for part in path.split(separator: ".") { #expect(text.contains("\(part):"), "\(path)") }
        }
    }

    /// Where nothing looks at report descriptors, the rules know the keys by their USB IDs.
    @Test(arguments: names)
    func theUdevRulesListEveryKey(name: String) throws {
        let rules = try String(
            contentsOf: PackageRoot.url.appending(path: "hardware/70-touchstone.rules"), encoding: .utf8)
        let patterns = rules.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("KERNELS==\""), line.hasSuffix("\", TAG+=\"uaccess\"") else { return nil }
            return String(line.split(separator: "\"")[1])
        }
        #expect(patterns.count > 10)
        for usb in try KnownKeyComparisonTests.library.key(named: name).usb {
            let device = "0003:\(usb.id.uppercased()).0001"
            #expect(patterns.contains { fnmatch($0, device, 0) == 0 }, "\(device)")
        }
    }

    @Test func everyKnownKeyHasAProfile() throws {
        for name in Self.names { #expect(try Self.profiles.profile(name).hardware == name) }
    }

    /// The profiles with `hardware`, the name of a known key.
    static let held = ShippedProfiles.names.filter { (try? profiles.profile($0).hardware) != nil }

    @Test func profilesOfKnownKeysAreCompared() {
        let others = [
            "security-key-nfc-enterprise", "solo-1-firmware-2.1.0", "yubikey-5-nfc-5.7-second",
            "yubikey-bio-5.7-second",
        ]
        #expect(Set(Self.held) == Set(Self.names + others))
    }

    /// A virtual key gives the same answers as the real key, except for the differences in its data file.
    @Test(arguments: held)
    func aVirtualKeyAnswersLikeTheRealOne(name: String) async throws {
        let profile = try Self.profiles.profile(name)
        let key = try KnownKeyComparisonTests.library.key(named: try #require(profile.hardware))
        let device = try SimulatedDevice(
            profile: profile, time: SimulatedClock(), random: SeededRandomSource(seed: 1), user: ConsentingUser())
        let info = await device.authenticator.info()
        let differences = try KnownKeyComparison(of: info.cbor, usb: profile.usb, with: key).differences
        // Other firmware versions may differ in the members that the file lists.
        let allowed = key.virtualExceptions + (name == key.name ? [] : key.exceptions)
        let left = differences.filter { difference in !allowed.contains { $0.place == difference.place } }
        #expect(left.map(\.sentence) == [])
        // An unused exception is an error.
        guard name == key.name else { return }
        for exception in key.virtualExceptions {
            #expect(differences.contains { $0.place == exception.place }, "\(exception.place)")
        }
    }

    @Test(arguments: held)
    func aVirtualKeyHasTheRealOnesLimits(name: String) throws {
        let profile = try Self.profiles.profile(name)
        let key = try KnownKeyComparisonTests.library.key(named: try #require(profile.hardware))
        let authenticator = profile.authenticator
        if !key.models.isEmpty { #expect(key.model(authenticator.aaguid) != nil) }
        if let retries = key.limits.pinRetries { #expect(authenticator.maxPINRetries == retries) }
        #expect(profile.lockout?.lockout.permanentAt == key.limits.uvRetries || key.limits.uvRetries == nil)
        if let room = key.limits.discoverableCredentials { #expect(authenticator.discoverableCapacity <= room) }
        if let window = key.limits.resetWindow { #expect(authenticator.resetWindow == window) }
        if name == key.name, let timeout = key.limits.touchTimeout {
            #expect(authenticator.userActionTimeout == timeout)
        }
        #expect(authenticator.transports.contains(.nfc) == key.hasNFC)
        let usb = try #require(profile.usb)
        #expect(key.usb.contains { $0.id == usb.id })
        if name == key.name { #expect(key.usb.contains(usb)) }
    }

    @Test func aChangedProfileIsDetected() async throws {
        let path = PackageRoot.url.appending(path: "profiles/yubikey-bio.yaml").path
        let text = try String(contentsOfFile: path, encoding: .utf8)
            .replacingOccurrences(of: "message: 1200", with: "message: 1024")
            .replacingOccurrences(of: "credBlob, ", with: "")
        let profile = try DeviceProfile(parsing: text, file: path)
        let device = try SimulatedDevice(
            profile: profile, time: SimulatedClock(), random: SeededRandomSource(seed: 1), user: ConsentingUser())
        let key = try KnownKeyComparisonTests.library.key(named: "yubikey-bio")
        let info = await device.authenticator.info()
        let sentences = try KnownKeyComparison(of: info.cbor, with: key).differences.map(\.sentence)
        #expect(
            sentences == [
                "lacks the extension credBlob", "maxMsgSize is 1024 bytes, expected 1200",
                "maxCredBlobLength is absent, expected 32",
            ])
    }
}
