import CBOR
import CTAP
import Decoding
import DeviceProfiles
import Foundation
import KnownKeys
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("An answer to getInfo beside known keys and profiles")
struct InfoFindingsTests {
    private static let keys = KnownKeyLibrary(directory: PackageRoot.url.appending(path: "hardware/keys").path)
    private static let profiles = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)

    private static func answer(of profile: String) async throws -> AuthenticatorInfo {
        let device = try SimulatedDevice(
            profile: try profiles.profile(profile), time: SimulatedClock(), random: SeededRandomSource(seed: 1),
            user: ConsentingUser())
        return await device.authenticator.info()
    }

    @Test(arguments: ["yubikey-5-nfc-5.7", "yubikey-bio", "iphone-face-id"])
    func theProfileOfAnAnswerIsTheNearest(name: String) async throws {
        let info = try await Self.answer(of: name)
        let decoded = try DecodedInput([0] + CBOR.encode(info.cbor))
        #expect(decoded.kind == .getInfo)
        let findings = try await InfoFindings(try #require(decoded.info), in: Self.keys, Self.profiles)
        #expect(findings.profiles.first?.differences.isEmpty == true)
        #expect(findings.profiles.contains { $0.profile == name && $0.differences.isEmpty })
        #expect((findings.known == nil) == (name == "iphone-face-id"))
        if findings.known == nil { #expect(findings.near.count == 3) }
    }

    @Test func anUncertainMemberIsNotCompared() async throws {
        var answer = try await Self.answer(of: "yubikey-5-nfc-5.7").cbor.asMap("getInfo")
        answer[InfoMember.maxCredBlobLength.rawValue] = nil
        for uncertain in [[], [InfoMember.maxCredBlobLength]] as [Set<InfoMember>] {
            let findings = try await InfoFindings(.map(answer), in: Self.keys, Self.profiles, uncertain: uncertain)
            #expect(findings.known?.differences.map(\.place) == (uncertain.isEmpty ? ["maxCredBlobLength"] : []))
            let draft = try await ProfileDraft(.map(answer), name: "mine", source: "a test", uncertain: uncertain)
            #expect(draft.differences.map(\.name) == (uncertain.isEmpty ? ["maxCredBlobLength"] : []))
        }
    }

    @Test func theDifferencesOfTheNearestProfileAreNamed() async throws {
        var info = try await Self.answer(of: "solo-2")
        info.aaguid = .zero
        info.maxMsgSize = 4096
        let findings = try await InfoFindings(info.cbor, in: Self.keys, Self.profiles)
        let nearest = try #require(findings.profiles.first)
        #expect(nearest.profile == "solo-2")
        #expect(Set(nearest.differences.map(\.name)) == ["aaguid", "maxMsgSize"])
        #expect(findings.known == nil)
    }
}
