internal import DeviceHost
internal import Documents
internal import HTTPTypes
internal import Hummingbird
package import LoopbackHTTP
internal import SimulatedDevice
internal import WebAuthn
internal import WebAuthnClient

extension ControlOperations {
    /// The operations of the device's own page: its conditional request, and a sign-in with a password before it.
    var conditionalRequests: [Operation] {
        let path = "/ceremonies/conditional"
        return [
            onDevice(
                .get, path, "readConditionalRequest",
                "Read whether a page on the device may make conditional requests, and whether one waits", .ceremonies,
                answer: .page
            ) { device, _ in await PageReport(device) },
            onDevice(
                .patch, path, "changeConditionalMediation", "Let the browser offer conditional mediation, or not",
                .ceremonies,
                body: .object(
                    .required(
                        "isAvailable", .boolean, "The answer of isConditionalMediationAvailable(); at first true.")),
                answer: .page
            ) { device, call in
                var rules = device.profile.pageRules
                rules.offersConditionalMediation = call.body["isAvailable"]?.bool ?? true
                await device.page.set(rules)
                return await PageReport(device)
            },
            onDevice(
                .post, path, "startConditionalRequest",
                "navigator.credentials.get() with mediation conditional: it waits until the user picks a suggestion",
                .ceremonies, body: ConditionalRequest.schema, answer: .page, errors: [422]
            ) { device, call in
                let request = try ConditionalRequest(call.body)
                return await PageReport(device, error: await request.start(on: device.page))
            },
            Operation(
                method: .post, path: "/v1/devices/{device}" + path + "/pick", name: "pickSuggestion",
                summary: "The user picks a suggestion of the conditional request", tag: .ceremonies,
                body: ConditionalPick.schema,
                answer: .init(
                    meaning:
                        "The AuthenticationResponseJSON, the password, or the error; the request then continues to wait",
                    content: .json(ConditionalPick.resultSchema)),
                errors: [409, 422], mayWaitForUser: true
            ) { call in try await ConditionalPick(call.body).perform(with: try await device(call)) },
            onDevice(
                .delete, path, "abortConditionalRequest", "The page aborts its conditional request", .ceremonies,
                answer: .page, errors: [409]
            ) { device, _ in
                guard let error = await device.page.abort() else { throw APIError.conditionalNotPending }
                return await PageReport(device, error: CeremonyFailure(error))
            },
            operation(
                .post, "/v1/devices/{device}/password-sign-ins", "signInWithPassword",
                "The user signs in to a page with a password that the browser fills in", .ceremonies,
                body: .object(.required("origin", CeremonyRequest.originSchema, "The page's origin.")),
                done: "For five minutes the page may have a passkey made without a prompt", errors: [422]
            ) { call in
                let origin = try CeremonyRequest.origin(call.body["origin"] ?? .null)
                await (try await device(call)).page.signInWithPassword(at: origin)
            },
        ]
    }
}

/// The state of a page on a device.
struct PageReport: Codable, Sendable {
    /// The answer of `isConditionalMediationAvailable()`.
    let isAvailable: Bool
    /// Whether a conditional request waits for the user.
    let isPending: Bool
    /// The capability `conditionalCreate`.
    let isCreateAvailable: Bool
    let error: CeremonyFailure?

    init(_ device: ManagedDevice, error: CeremonyFailure? = nil) async {
        isAvailable = await device.page.isConditionalMediationAvailable
        isPending = await device.page.isPending
        isCreateAvailable = await device.page.isConditionalCreateAvailable
        self.error = error
    }
}

extension TypedAnswer<PageReport> {
    fileprivate static var page: Self { Self("The state of the page, and the error that it gets", named: "Page") }
}

extension APIError {
    package static let conditionalNotPending = APIError(
        409, "conditional.notPending", "No conditional request waits on this device; start one first.")
}

/// A conditional request as its page makes it.
private struct ConditionalRequest: Sendable {
    static let schema = Schema.object(
        .required(
            "options", .anyObject,
            "PublicKeyCredentialRequestOptionsJSON (WebAuthn L3 §5.1.8): bytes are unpadded base64url."),
        .required("origin", CeremonyRequest.originSchema, "The caller: a page's origin, or an app."),
        .optional(
            "passwords",
            .array(
                .object(.required("name", .string(1...200)), .required("password", .string(1...200))), count: 0...20),
            "The stored passwords of the site, when the page also asks for passwords."))

    private let options: [UInt8]
    private let origin: Origin
    private let passwords: [CredentialPage.Password]

    init(_ body: JSONValue) throws {
        options = try (body["options"] ?? [:]).bytes()
        origin = try CeremonyRequest.origin(body["origin"] ?? .null)
        passwords = (body["passwords"]?.array ?? []).map {
            CredentialPage.Password(name: $0["name"]?.text ?? "", password: $0["password"]?.text ?? "")
        }
    }

    /// Starts it; returns the error that the page gets at once.
    func start(on page: CredentialPage) async -> CeremonyFailure? {
        do {
            try await page.startConditional(json: options, origin: origin, passwords: passwords)
            return nil
        } catch {
            return CeremonyFailure(error)
        }
    }
}

/// The user's choice among the suggestions.
private struct ConditionalPick: Sendable {
    static let schema = Schema.object(
        Schema.Members(
            members: CeremonyAnswers.members + [
                .optional(
                    "password", .string(1...200),
                    "The account whose stored password is picked, without `pins` and `account`; default: a passkey.")
            ]))

    static let resultSchema = Schema.anyOf([
        CeremonyResult.schema("The AuthenticationResponseJSON"),
        .object(
            .required(
                "password", .object(.required("name", .string()), .required("password", .string())),
                "The stored password."),
            .required("elapsedSeconds", .number, "The time that the choice took on the device's clock.")),
    ])

    private let answers: CeremonyAnswers
    private let password: String?

    /// - Throws: `member.idle`.
    init(_ body: JSONValue) throws(APIError) {
        answers = try CeremonyAnswers(body)
        password = body["password"]?.text
        let idle = CeremonyAnswers.members.map(\.name).first { body[$0] != nil }
        if password != nil, let idle {
            throw .idleMember(idle, "has no effect beside “password”: the browser fills it in; leave one of them out")
        }
    }

    func perform(with device: ManagedDevice) async throws -> Response {
        guard await device.page.isPending else { throw APIError.conditionalNotPending }
        let choice = password.map { CredentialPage.Choice.password(name: $0) } ?? .passkey
        return try await answers.perform(CeremonyJournal.Call(.conditional), with: device) { client in
            switch try await device.page.pick(choice, with: client) {
            case .passkey(let response): try .credential(json: JSONValue(encoding: response).bytes())
            case .password(let password):
                .password(["name": .text(password.name), "password": .text(password.password)])
            case nil:
                throw APIError(
                    422, "suggestion.unknown",
                    "The request does not offer this suggestion; name the account of a password that it has.")
            }
        }.response()
    }
}
