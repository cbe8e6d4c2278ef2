import CTAP
import Synchronization
import WebAuthn
import WebAuthnClient

/// The user at the screen: answers in the given order and records the questions.
actor User {
    private var entries: [PINEntry]
    private(set) var prompts: [PINPrompt] = []
    private(set) var accounts: [Account] = []
    private let choice: Int?

    init(pins: [String] = [], choosing choice: Int? = 0) {
        entries = pins.map { .pin($0) }
        self.choice = choice
    }

    func enterPIN(_ prompt: PINPrompt) -> PINEntry {
        prompts.append(prompt)
        return entries.isEmpty ? .cancelled : entries.removeFirst()
    }

    func choose(_ accounts: [Account]) -> Int? {
        self.accounts = accounts
        return choice
    }
}

/// A clock that only the test advances.
final class Clock: Sendable {
    private let time = Mutex<Duration>(.seconds(1_000_000))

    var now: Duration { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 += duration } }
}

func environment(_ person: User = User(), clock: Clock = Clock()) -> ClientEnvironment {
    var environment = ClientEnvironment(
        randomBytes: { (0..<$0).map { UInt8(truncatingIfNeeded: $0 + 1) } }, now: { clock.now })
    environment.enterPIN = { await person.enterPIN($0) }
    environment.chooseAccount = { await person.choose($0) }
    return environment
}

func client(
    _ device: FakeAuthenticator, _ environment: ClientEnvironment = environment(),
    attachment: AuthenticatorAttachment = .crossPlatform
) -> WebAuthnClient {
    WebAuthnClient(device: device, attachment: attachment, environment: environment)
}

extension Origin {
    static func test(_ text: String = "https://example.org") throws -> Origin { try Origin(parsing: text) }
}

extension CreationOptions {
    static func test(
        userVerification: UserVerificationRequirement? = .discouraged, residentKey: ResidentKeyRequirement? = nil,
        attachment: AuthenticatorAttachment? = nil, exclude: [[UInt8]]? = nil,
        attestation: AttestationConveyancePreference? = nil, timeout: UInt32? = nil
    ) -> CreationOptions {
        CreationOptions(
            rp: .init(id: "example.org", name: "Example"), user: .init(id: [1], name: "ada", displayName: "Ada"),
            challenge: [1, 2, 3], pubKeyCredParams: [.init(alg: -7)], timeout: timeout,
            excludeCredentials: exclude?.map { CredentialDescriptor(id: $0) },
            authenticatorSelection: .init(
                authenticatorAttachment: attachment, residentKey: residentKey, userVerification: userVerification),
            attestation: attestation)
    }
}

extension RequestOptions {
    static func test(
        userVerification: UserVerificationRequirement? = .discouraged, allow: [[UInt8]]? = nil, timeout: UInt32? = nil
    ) -> RequestOptions {
        RequestOptions(
            challenge: [4, 5, 6], timeout: timeout, rpId: "example.org",
            allowCredentials: allow?.map { CredentialDescriptor(id: $0) }, userVerification: userVerification)
    }
}

extension FakeAuthenticator {
    /// ``decisions`` as short text for a table: the command, its options, the protocol of its pinUvAuthParam.
    var story: [String] {
        decisions.map { request in
            switch request {
            case .makeCredential(let make): "make" + Self.words(make.options, make.pinUvAuthProtocol)
            case .getAssertion(let get): "get" + Self.words(get.options, get.pinUvAuthProtocol)
            case .getNextAssertion: "next"
            case .selection: "touch"
            case .token(.legacyPIN): "legacyPIN"
            case .token(.pin(let permissions, let relyingPartyID)): "pin \(permissions) \(relyingPartyID ?? "-")"
            case .token(.sensor(let permissions, let relyingPartyID)): "sensor \(permissions) \(relyingPartyID ?? "-")"
            case .getInfo, .pinRetries, .uvRetries, .keyAgreement: ""
            }
        }
    }

    private static func words(_ options: [String: Bool], _ pinProtocol: Int?) -> String {
        options.sorted { $0.key < $1.key }.map { $0.value ? " \($0.key)" : " !\($0.key)" }.joined()
            + (pinProtocol.map { " param\($0)" } ?? "")
    }

    func add(_ ids: [UInt8]...) {
        for id in ids {
            credentials.append(
                Credential(id: id, user: .init(id: [0xF0] + id, name: "account \(id)", displayName: nil)))
        }
    }
}

/// The error of a call that must fail; nil on success.
func failure<Value>(_ body: () async throws(WebAuthnClientError) -> Value) async -> WebAuthnClientError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
