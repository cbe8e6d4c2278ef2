import Foundation
import Testing

@testable import ReferenceApp

/// The personal data that the app keeps encrypted.
struct SealedDetailsTests {
    /// A user who has seen the personal data once.
    private func revealed(_ style: AppSettings.Style = .boundKey) -> TestHost {
        var host = TestHost.enrolled(.styled(style))
        host.tap(.personalData, .back)
        return host
    }

    @Test(arguments: AppSettings.Style.allCases)
    func aMatchShowsKeptDataWithoutANetwork(style: AppSettings.Style) throws {
        var host = revealed(style)
        let sealed = try #require(host.preferences.sealedDetails.flatMap { Data(base64Encoded: $0) })
        #expect(sealed.firstRange(of: Data("14839010150".utf8)) == nil)
        host.setOnline(false)
        host.relaunch()
        let requests = host.paths.count
        host.tap(.personalData)
        #expect(host.app.revealed == ["14839010150"])
        #expect(host.app.message == .offline)
        #expect(host.paths.count == requests)
    }

    @Test func withoutAMatchKeptDataStayClosed() {
        var host = revealed()
        host.setOnline(false)
        host.prompts = [.cancelled]
        host.tap(.personalData)
        #expect(host.app.screen == .stepUp)
        #expect(host.app.revealed.isEmpty)
    }

    @Test func keptDataAreOnTheScreenWhileTheServerIsAsked() {
        var host = revealed()
        host.isSilent = true
        host.tap(.personalData)
        #expect(host.app.screen == .personalData)
        #expect(host.app.revealed == ["14839010150"])
    }

    @Test func theReturnOfTheNetworkHidesThem() {
        var host = revealed()
        host.setOnline(false)
        host.tap(.personalData)
        host.setOnline(true)
        #expect(host.app.screen == .peerMentorHome)
        #expect(host.app.revealed.isEmpty)
    }

    @Test func anOutageAfterAnHourStillShowsThem() {
        var host = revealed()
        host.now += .seconds(3_700)
        host.answers["/gateway/v1/token?grant_type=refresh_token"] = .json("{}", 503)
        host.answers["/gateway/v1/step-up"] = .refusal("session_expired", 401)
        host.tap(.personalData)
        #expect(host.app.revealed == ["14839010150"])
        #expect(host.app.message == .savedData)
    }

    @Test func theServersDataReplaceTheKeptOnes() {
        var host = revealed()
        host.answers["/gateway/v1/personal-data"] = .json(#"{"email":"new@example.com"}"#)
        host.tap(.personalData)
        #expect(host.app.revealed == ["new@example.com"])
        host.setOnline(false)
        host.tap(.back, .personalData)
        #expect(host.app.revealed == ["new@example.com"])
    }

    @Test func theyEndWithTheSession() {
        var host = revealed()
        host.now += .seconds(86_400)
        host.setOnline(false)
        host.tap(.personalData)
        #expect(host.app.revealed.isEmpty)
    }

    @Test func aLogoutALoginAroundTheSensorAndSwitchingItOffDeleteThem() {
        var host = revealed()
        host.tap(.logOut)
        #expect(host.preferences.sealedDetails == nil)
        host = revealed()
        host.tap(.settings, .disableBiometrics, .confirm)
        #expect(host.preferences.sealedDetails == nil)
        host = revealed()
        host.prompts = [.blocked]
        host.relaunch()
        host.tap(.vipps, .approve)
        #expect(host.preferences.sealedDetails == nil)
    }

    @Test func theKeyIsInTheGuardedItemAlone() throws {
        let host = revealed()
        let key = try #require(host.app.session?.detailsKey)
        #expect(host.items.filter { $0.value.text.contains(key) }.map(\.key) == [.biometricSession])
    }

    @Test func dataOfAnotherKeyAreNotShown() {
        var host = revealed()
        let kept = host.preferences.sealedDetails
        host.relaunch()
        host.tap(.settings, .disableBiometrics, .confirm, .enableBiometrics)
        host.preferences.sealedDetails = kept
        host.setOnline(false)
        host.relaunch()
        host.tap(.personalData)
        #expect(host.app.screen == .stepUp)
        #expect(host.app.revealed.isEmpty)
    }
}
