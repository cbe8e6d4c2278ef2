import CBOR
import CTAP
import Decoding
import DeviceProfiles
import Foundation
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

@Suite("A profile made from an answer to getInfo")
struct ProfileDraftTests {
    private static let profiles = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)

    private static func answer(of profile: DeviceProfile) async throws -> AuthenticatorInfo {
        let device = try SimulatedDevice(
            profile: profile, time: SimulatedClock(), random: SeededRandomSource(seed: 1), user: ConsentingUser())
        return await device.authenticator.info()
    }

    @Test(arguments: [
        "yubikey-5-nfc-5.4", "yubikey-5-nfc-5.7", "yubikey-5-nfc-5.7-enhanced-pin", "yubikey-bio", "yubikey-bio-5.7",
        "solo-1", "solo-2", "nitrokey-3", "opensk", "security-key-nfc", "security-key-complete", "security-key-pin",
        "feitian-biopass", "titan-v2", "token2-t2f2-dual",
    ])
    func itsDeviceAnswersAsTheKeyDoes(name: String) async throws {
        let info = try await Self.answer(of: Self.profiles.profile(name))
        let draft = try await ProfileDraft(info.cbor, name: "mine", source: "a test")
        #expect(draft.differences.map { "\($0.name): \($0.value), \($0.profile)" } == [], "\(draft.text)")
        // The text is the file of a profile.
        #expect(try DeviceProfile(parsing: draft.text, file: "mine.yaml").name == "mine")
    }

    @Test func membersThatAProfileCannotSayAreNamed() async throws {
        var answer = CBOR.Map()
        answer[1] = ["FIDO_2_0", "FIDO_2_9"]
        answer[2] = ["credProtect", "unheardOf"]
        answer[3] = .bytes([UInt8](repeating: 7, count: 16))
        answer[4] = ["rk": true, "up": true, "plat": false]
        answer[5] = 512
        answer[0x40] = true
        let draft = try await ProfileDraft(.map(answer), name: "mine", source: "a test")
        let names = Set(draft.differences.map(\.name))
        #expect(names.isSuperset(of: ["versions.FIDO_2_9", "extensions.unheardOf", "maxMsgSize", "0x40"]), "\(names)")
    }

    @Test func theStateOfAKeyIsNoDifferenceAndNotTheSame() async throws {
        var answer = try await Self.answer(of: Self.profiles.profile("yubikey-5-nfc-5.7")).cbor.asMap("getInfo")
        let listed: CBOR.Value? = answer[4]
        var options = try #require(listed).asMap("options")
        options["clientPin"] = true
        options["alwaysUv"] = true
        answer[4] = .map(options)
        let draft = try await ProfileDraft(.map(answer), name: "mine", source: "a test")
        #expect(draft.states.map(\.name) == ["options.clientPin"])
        #expect(draft.text.contains("- authenticator.u2f\n"))
    }

    @Test(
        "A device that answers getInfo has a version of CTAP2",
        arguments: [["U2F_V2"], ["FIDO_2_9"], []] as [[CBOR.Value]])
    func versionOfCTAP2(versions: [CBOR.Value]) async throws {
        var answer = CBOR.Map()
        answer[1] = .array(versions)
        answer[3] = .bytes([UInt8](repeating: 7, count: 16))
        let draft = try await ProfileDraft(.map(answer), name: "mine", source: "a test")
        #expect(draft.differences.map(\.name).contains("versions.FIDO_2_0"))
        let profile = try DeviceProfile(parsing: draft.text, file: "mine.yaml")
        #expect(try await Self.answer(of: profile).versions.contains("FIDO_2_0"))
    }

    @Test func aVersionWithoutItsMandatoryFeaturesIsNamed() async throws {
        var answer = CBOR.Map()
        answer[1] = ["FIDO_2_0", "FIDO_2_1"]
        answer[3] = .bytes([UInt8](repeating: 7, count: 16))
        let draft = try await ProfileDraft(.map(answer), name: "mine", source: "a test")
        #expect(draft.differences.map(\.name).contains("versions.FIDO_2_1"))
    }
}
