import COSE
import CTAP
import Crypto
import Testing
import VirtualAuthenticator
import WebAuthn
import WebAuthnClient

/// appid and appidExclude (WebAuthn L3 §10.1.1, §10.1.2).
struct AppIDTests {
    private static let appID = "https://example.org/u2f.json"

    /// A credential from U2F: for the app ID, without user verification.
    private func legacyCredential(_ bench: VirtualBench) async throws -> [UInt8] {
        let made = try await bench.ctap.makeCredential(
            MakeCredentialRequest(
                clientDataHash: [UInt8](repeating: 0, count: 32), rp: .init(id: Self.appID), user: .init(id: [1]),
                pubKeyCredParams: [.init(algorithm: .es256)]))
        return try #require(
            AuthenticatorData(parsing: made.authenticatorData).attestedCredentialData?.credentialID)
    }

    private func hash(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }

    @Test(arguments: [UserVerificationRequirement.required, .discouraged])
    func aCredentialOfTheAppIDSignsForTheAppID(_ requirement: UserVerificationRequirement) async throws {
        let bench = try await VirtualBench()
        let id = try await legacyCredential(bench)
        let response = try await bench.get(
            ClientExtensionInputs(appid: Self.appID), allow: [[9], id], userVerification: requirement)
        #expect(response.rawId.bytes == id)
        #expect(response.clientExtensionResults == ClientExtensionResults(appid: true))
        #expect(Array(response.response.authenticatorData.bytes.prefix(32)) == hash(Self.appID))
        #expect(response.flags.contains(.userVerified) == (requirement == .required))
    }

    @Test func aCredentialOfTheRPIDSignsForTheRPID() async throws {
        let bench = try await VirtualBench()
        let id = try await bench.create().credentialID
        for allow in [[id], [[9], id], nil] as [[[UInt8]]?] {
            let response = try await bench.get(ClientExtensionInputs(appid: Self.appID), allow: allow)
            #expect(response.clientExtensionResults == ClientExtensionResults(appid: false))
            #expect(Array(response.response.authenticatorData.bytes.prefix(32)) == hash("example.org"))
        }
    }

    @Test func aCredentialThatNeedsVerificationIsFoundToo() async throws {
        let bench = try await VirtualBench()
        let extensions = ClientExtensionInputs(credentialProtectionPolicy: .userVerificationRequired)
        let id = try await bench.create(extensions).credentialID
        let response = try await bench.get(ClientExtensionInputs(appid: Self.appID), allow: [id])
        #expect(response.clientExtensionResults == ClientExtensionResults(appid: false))
    }

    @Test func theAppIDsCredentialsAreFoundOnlyWithTheExtension() async throws {
        let bench = try await VirtualBench()
        let id = try await legacyCredential(bench)
        for appID in [nil, "https://example.org/another.json"] {
            let error = await failure { () async throws(WebAuthnClientError) in
                try await bench.get(ClientExtensionInputs(appid: appID), allow: [id])
            }
            #expect(error?.domException == .notAllowedError)
            #expect(error?.reason == .noCredential)
        }
    }

    @Test func anAppIDInARegistrationIsRefused() async throws {
        let bench = try await VirtualBench()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await bench.create(ClientExtensionInputs(appid: Self.appID))
        }
        #expect(error?.domException == .notSupportedError)
        #expect(error?.reason == .appIDInRegistration)
        #expect(await bench.device.snapshot().credentials.isEmpty)
    }

    // MARK: Exclusion

    @Test func anExcludedCredentialOfTheAppIDEndsTheRegistrationAfterATouch() async throws {
        let bench = try await VirtualBench()
        let id = try await legacyCredential(bench)
        let touches = bench.touches.presencePrompts
        let error = await failure { () async throws(WebAuthnClientError) in
            try await bench.create(ClientExtensionInputs(appidExclude: Self.appID), exclude: [[9], id])
        }
        #expect(error?.domException == .invalidStateError)
        #expect(error?.reason == .appIDExcluded)
        #expect(bench.touches.presencePrompts == touches + 1)
        #expect(await bench.device.snapshot().credentials.isEmpty)
    }

    @Test func aRegistrationReportsThatTheAppIDWasChecked() async throws {
        let bench = try await VirtualBench()
        _ = try await legacyCredential(bench)
        for exclude in [[[9]], [], nil] as [[[UInt8]]?] {
            let response = try await bench.create(ClientExtensionInputs(appidExclude: Self.appID), exclude: exclude)
            #expect(response.clientExtensionResults == ClientExtensionResults(appidExclude: true))
        }
    }

    // MARK: Claims

    @Test(
        arguments: [
            ("https://example.org", "", true), ("https://example.org", "https://example.org", true),
            ("https://example.org", "https://example.org/u2f.json", true),
            ("https://example.org", "https://example.org:8443/u2f.json?x#y", true),
            ("https://login.example.org", "https://example.org/", true),
            ("https://example.org", "https://login.example.org/", true),
            ("https://a.example.org", "https://b.example.org/", true),
            ("https://a.example.co.uk", "https://b.example.co.uk/", true),
            ("http://localhost:8080", "https://localhost/u2f.json", true),
            ("https://example.org", "http://example.org/", false), ("https://example.org", "example.org", false),
            ("https://example.org", "https://example.com/", false),
            ("https://example.org", "https://example.org.example.com/", false),
            ("https://example.org", "https://user@example.org/", false), ("https://example.org", "https://", false),
            ("https://example.org", "https://org/", false),
            ("https://one.co.uk", "https://two.co.uk/", false),
            ("https://one.github.io", "https://two.github.io/", false),
        ])
    func aPageClaimsAppIDsOfItsOwnSite(_ row: (origin: String, appID: String, isAllowed: Bool)) async throws {
        for isRegistration in [true, false] {
            let device = FakeAuthenticator([:])
            await device.add([1])
            let client = client(device)
            let origin = try Origin.test(row.origin)
            let error = await failure { () async throws(WebAuthnClientError) in
                if isRegistration {
                    var options = CreationOptions.test()
                    options.rp.id = nil
                    options.extensions = ClientExtensionInputs(appidExclude: row.appID)
                    _ = try await client.create(options, origin: origin)
                } else {
                    var options = RequestOptions.test()
                    options.rpId = nil
                    options.extensions = ClientExtensionInputs(appid: row.appID)
                    _ = try await client.get(options, origin: origin)
                }
            }
            #expect(error?.domException == (row.isAllowed ? nil : .securityError))
            #expect(error?.reason == (row.isAllowed ? nil : .appIDNotAuthorized))
            #expect(await device.log.isEmpty == !row.isAllowed)
        }
    }

    @Test(
        arguments: [
            ("https://example.org/u2f.json", true), ("android:apk-key-hash:abc", true),
            ("https://login.example.org/", false),
        ])
    func anAppClaimsAppIDsOfItsDomains(_ row: (appID: String, isAllowed: Bool)) async throws {
        let device = FakeAuthenticator([:])
        await device.add([1])
        let client = client(device)
        let origin = Origin.app(facet: "android:apk-key-hash:abc", associatedDomains: ["example.org"])
        let error = await failure { () async throws(WebAuthnClientError) in
            var options = RequestOptions.test()
            options.extensions = ClientExtensionInputs(appid: row.appID)
            _ = try await client.get(options, origin: origin)
        }
        #expect(error?.reason == (row.isAllowed ? nil : .appIDNotAuthorized))
    }
}
