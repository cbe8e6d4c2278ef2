import CTAP
import Testing
import WebAuthn
import WebAuthnClient

/// A page's requests: conditional ones wait for the user, and one excludes another.
@Suite("A page's requests")
struct CredentialPageTests {
    private static let options = RequestOptions.test(userVerification: .required)
    private static let password = CredentialPage.Password(name: "ada", password: "secret")

    /// A page on a key with a passkey.
    private static func page(
        _ rules: CredentialPage.Rules = CredentialPage.Rules()
    ) async throws -> (page: CredentialPage, bench: VirtualBench) {
        let bench = try await VirtualBench()
        _ = try await bench.create()
        return (CredentialPage(client: bench.client, rules: rules), bench)
    }

    @Test("A conditional request asks the user nothing until a suggestion is picked")
    func conditionalRequestWaits() async throws {
        let (page, bench) = try await Self.page()
        let prompts = await bench.person.prompts.count
        try await page.startConditional(Self.options, origin: VirtualBench.origin)
        #expect(await page.isPending)
        #expect(await bench.person.prompts.count == prompts)
        guard case .passkey(let response) = try await page.pick(.passkey) else {
            Issue.record("the page got no passkey")
            return
        }
        #expect(!response.response.signature.bytes.isEmpty)
        #expect(await bench.person.prompts.count == prompts + 1)
        #expect(await !page.isPending)
        #expect(try await page.pick(.passkey) == nil)
    }

    @Test("A second request is refused while one waits, and works after an abort")
    func oneRequestExcludesAnother() async throws {
        let (page, _) = try await Self.page()
        try await page.startConditional(Self.options, origin: VirtualBench.origin)
        let second = await failure { () async throws(WebAuthnClientError) in
            try await page.startConditional(Self.options, origin: VirtualBench.origin)
        }
        let modal = await failure { () async throws(WebAuthnClientError) in
            try await page.get(Self.options, origin: VirtualBench.origin)
        }
        for error in [second, modal] {
            #expect(error?.domException == .notAllowedError && error?.reason == .requestPending)
        }
        #expect(await page.abort()?.domException == .abortError)
        #expect(await page.abort() == nil)
        _ = try await page.get(Self.options, origin: VirtualBench.origin)
    }

    @Test("A browser without conditional mediation says so, and refuses the call")
    func unavailableMediationIsRefused() async throws {
        let (page, _) = try await Self.page(CredentialPage.Rules(offersConditionalMediation: false))
        #expect(await !page.isConditionalMediationAvailable)
        let error = await failure { () async throws(WebAuthnClientError) in
            try await page.startConditional(Self.options, origin: VirtualBench.origin)
        }
        #expect(error?.domException == .typeError && error?.reason == .conditionalUnavailable)
    }

    @Test("A gesture serves one modal request, and a conditional one needs none")
    func gestureServesOnce() async throws {
        let (page, _) = try await Self.page(CredentialPage.Rules(needsGesture: true))
        func modal() async -> WebAuthnClientError? {
            await failure { () async throws(WebAuthnClientError) in
                try await page.get(Self.options, origin: VirtualBench.origin)
            }
        }
        #expect(await modal()?.reason == .gestureMissing)
        await page.gesture()
        #expect(await modal() == nil)
        #expect(await modal()?.reason == .gestureMissing)
        try await page.startConditional(Self.options, origin: VirtualBench.origin)
    }

    @Test("A stored password is offered beside the passkey, and picked without the device")
    func passwordIsPicked() async throws {
        let (page, bench) = try await Self.page()
        let prompts = await bench.person.prompts.count
        try await page.startConditional(Self.options, origin: VirtualBench.origin, passwords: [Self.password])
        #expect(try await page.pick(.password(name: "grace")) == nil)
        guard case .password(let password) = try await page.pick(.password(name: "ada")) else {
            Issue.record("the page got no password")
            return
        }
        #expect(password == Self.password)
        #expect(await bench.person.prompts.count == prompts)
        #expect(await !page.isPending)
    }

    @Test("A refusal leaves the request waiting, and an origin may claim only its own RP ID")
    func refusalLeavesRequest() async throws {
        let bench = try await VirtualBench()
        let page = CredentialPage(client: bench.client)
        try await page.startConditional(Self.options, origin: VirtualBench.origin)
        let refusal = await failure { () async throws(WebAuthnClientError) in try await page.pick(.passkey) }
        #expect(refusal?.domException == .notAllowedError)
        #expect(await page.isPending)
        _ = await page.abort()
        let stranger = try Origin(parsing: "https://example.com")
        let error = await failure { () async throws(WebAuthnClientError) in
            try await page.startConditional(Self.options, origin: stranger)
        }
        #expect(error?.domException == .securityError)
        #expect(await !page.isPending)
    }
}
