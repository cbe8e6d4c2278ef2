import Foundation
import Providers
import Testing

@Suite struct WellKnownTests {
    private let files = ["apple-app-site-association", "assetlinks.json"]

    @Test func theFilesNameTheAppAsJSON() async throws {
        try await Street.run { street in
            let client = try street.client()
            let app = AppRegistration()
            for (file, name) in zip(files, [app.appleAppID, app.androidPackage]) {
                let answer = try await client.get("/.well-known/\(file)")
                #expect(answer.status == 200)
                #expect(answer.field("Content-Type") == "application/json")
                #expect(answer.text.contains("\"\(name)\""))
            }
            let apple = try await client.get("/.well-known/apple-app-site-association").text
            #expect(apple.contains(#""webcredentials":{"apps":["TOUCH12345.example.touchstone.app"]}"#))
            #expect(try await client.get("/.well-known/assetlinks.json").text.contains(app.androidFingerprint))
            #expect(app.androidFingerprint.count == 95)
        }
    }

    @Test(
        arguments: [
            (WellKnownState.missing, 404, "application/json"), (.html, 200, "text/html; charset=utf-8"),
            (.redirected, 302, nil), (.otherApp, 200, "application/json"),
        ] as [(WellKnownState, Int, String?)]) func theFilesAreNotAsPlatformsWantThem(
            _ state: WellKnownState, _ status: Int, _ type: String?
        ) async throws
    {
        try await Street.run { street in
            street.change { $0.wellKnown = state }
            let client = try street.client()
            for file in files {
                let answer = try await client.get("/.well-known/\(file)")
                #expect(answer.status == status)
                #expect(answer.field("Content-Type") == type)
                #expect(!answer.text.contains("touchstone.app"))
            }
        }
    }
}
