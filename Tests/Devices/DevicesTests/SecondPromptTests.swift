import Biometrics
import COSE
import CTAP
import Causes
import DeviceProfiles
import SimulatedDevice
import Testing
import VirtualAuthenticator

/// LAContext: the running evaluation ends as systemCancel (-4); AOSP `BiometricService`: the open session is cancelled.
@Suite("A prompt while another one is open")
struct SecondPromptTests {
    typealias Scene = ControlledUserTests.Scene

    private static func ask(
        _ scene: Scene, _ allowed: AppVerification = .biometrics
    ) async -> Result<VerificationMethod, DeviceRefusal> {
        await scene.device.verifyUser(AppPrompt(allowed))
    }

    static let phones = [
        "iphone-face-id", "iphone-touch-id", "macbook-touch-id", "pixel-fingerprint", "pixel-face-class-3",
        "samsung-fingerprint",
    ]

    @Test("replaces the open one, which the system has cancelled", arguments: phones)
    func replaces(profile: String) async throws {
        let scene = try Scene(.ask, on: profile)
        async let first = Self.ask(scene)
        _ = try #require(await scene.prompt())
        async let second = Self.ask(scene)
        #expect(await first.cause == .systemCancelled)
        _ = try #require(await scene.prompt())
        await scene.person.tell(.gate(.match()))
        if profile == "pixel-face-class-3" {
            _ = try #require(await scene.prompt())
            await scene.person.tell(.gate(.confirm))
        }
        #expect(await second.cause == nil)
    }

    @Test("replaces one that asks for the passcode, and the other way round", arguments: phones)
    func replacesThePasscode(profile: String) async throws {
        for (old, new) in [(AppVerification.passcode, AppVerification.biometrics), (.biometrics, .passcode)] {
            let scene = try Scene(.ask, on: profile)
            async let first = Self.ask(scene, old)
            _ = try #require(await scene.prompt())
            async let second = Self.ask(scene, new)
            #expect(await first.cause == .systemCancelled)
            _ = try #require(await scene.prompt())
            await scene.person.tell(.gate(.cancelByUser))
            #expect(await second.cause == .userCancelled)
        }
    }

    /// AOSP looks for obstacles (`PreAuthInfo`) before it reaches the open session.
    @Test("leaves the open one if it cannot open itself", arguments: phones)
    func leavesTheOpenOne(profile: String) async throws {
        let scene = try Scene(.ask, on: profile)
        await scene.device.lockOut()
        async let first = Self.ask(scene, .passcode)
        _ = try #require(await scene.prompt())
        #expect(await Self.ask(scene).cause == .lockedOutPermanently)
        await scene.person.tell(.gate(.passcode(correct: true)))
        #expect(await first.cause == nil)
    }

    @Test(
        "of a page's get() ends an app's, and the other way round", arguments: ["iphone-face-id", "pixel-fingerprint"])
    func pagesAndApps(profile: String) async throws {
        let scene = try Scene(.ask, on: profile)
        async let app = Self.ask(scene)
        _ = try #require(await scene.prompt())
        async let page = Self.register(scene)
        #expect(await app.cause == .systemCancelled)
        _ = try #require(await scene.prompt())
        async let second = Self.ask(scene)
        #expect(await page == .operationDenied)
        _ = try #require(await scene.prompt())
        await scene.person.tell(.gate(.match()))
        #expect(await second.cause == nil)
    }

    private static func register(_ scene: Scene) async -> CTAPStatus? {
        let request = MakeCredentialRequest(
            clientDataHash: [UInt8](repeating: 1, count: 32), rp: PublicKeyCredentialRPEntity(id: "example.com"),
            user: PublicKeyCredentialUserEntity(id: [1], name: "ada"),
            pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .es256)], options: ["uv": true])
        do {
            _ = try await AuthenticatorClient(scene.device.authenticator).makeCredential(request)
            return .ok
        } catch {
            return error.status
        }
    }

    @Test("is refused by Windows, which says that the device is busy")
    func windows() async throws {
        let scene = try Scene(.ask, on: "windows-hello-fingerprint")
        async let first = Self.ask(scene)
        _ = try #require(await scene.prompt())
        #expect(await Self.ask(scene).cause == .promptInProgress)
        await scene.person.tell(.gate(.match()))
        #expect(await first.cause == nil)
    }

    @Test("runs inside an interruption of the first, and leaves no prompt open")
    func interruption() async throws {
        let scene = try Scene(.auto, on: "pixel-fingerprint")
        for _ in 0..<2 { await scene.person.tell(.gate(.nonMatch)) }
        let device = scene.device
        await scene.person.interrupt {
            await Task { #expect(await device.verifyUser(AppPrompt(.passcode)).cause == nil) }.value
        }
        #expect(await Self.ask(scene).cause == .systemCancelled)
        #expect(await device.authenticator.gate?.consecutiveFailures == 0)
        #expect(await device.authenticator.gate?.stage == .idle)
    }

    @Test("of an app that withdraws it later does not touch a third one")
    func withdrawnAfterItsEnd() async throws {
        let scene = try Scene(.ask, on: "pixel-fingerprint")
        let first = Task { await Self.ask(scene) }
        _ = try #require(await scene.prompt())
        async let second = Self.ask(scene)
        _ = try #require(await scene.prompt())
        first.cancel()
        _ = await first.value
        #expect(await scene.device.authenticator.gate?.stage == .sensing)
        await scene.person.tell(.gate(.match()))
        #expect(await second.cause == nil)
    }
}
