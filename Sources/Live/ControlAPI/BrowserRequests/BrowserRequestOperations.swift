internal import CTAP
internal import DeviceHost
internal import Documents
internal import HTTPTypes
internal import LoopbackHTTP
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

extension ControlOperations {
    /// The path of the conditional requests that a browser keeps, behind the device's name.
    static let browserRequestsPath = "/browser-requests"

    var browserRequests: [Operation] {
        [
            onDevice(
                .get, Self.browserRequestsPath, "listBrowserRequests",
                "List the conditional requests of a browser's pages, with the passkeys that the user may pick",
                .ceremonies,
                answer: TypedAnswer<[BrowserRequest]>(
                    "The waiting requests, oldest first",
                    schema: .array(.named("BrowserRequest", Schema.of(BrowserRequest.self))))
            ) { device, _ in await BrowserRequest.all(on: device) },
            onDevice(
                .post, Self.browserRequestsPath, "addBrowserRequest",
                "Add a conditional request that a browser keeps; the answer follows when the user picks a passkey",
                .ceremonies, body: Self.requestSchema,
                answer: TypedAnswer<PickedPasskey>("The passkey that the user picked, or the error that the page gets"),
                errors: [409, 422], mayWaitForUser: true
            ) { device, call in
                let request: BrowserRequests.Request
                do {
                    request = try BrowserRequests.Request(call.body)
                } catch let error as WebAuthnClientError {
                    return PickedPasskey(error: CeremonyFailure(error))
                }
                switch await device.browserRequests.wait(request) {
                case .picked(let pick): return PickedPasskey(credentialId: pick.credentialID.map(Base64URLBytes.init))
                case .ended, .changed: throw APIError.browserRequestEnded
                case .tooMany: throw APIError.tooManyBrowserRequests
                }
            },
            operation(
                .post, "/v1/devices/{device}\(Self.browserRequestsPath)/{request}/pick", "pickPasskey",
                "The user picks a passkey for a conditional request of a browser's page", .ceremonies,
                body: .object(
                    .required("credentialId", .credentialID, "The ID of a passkey that the request suggests.")),
                done: "The browser is told of the pick", errors: [422]
            ) { call in
                let device = try await device(call)
                let number = Int(call.parameter("request"))
                guard let request = await BrowserRequest.all(on: device).first(where: { $0.number == number }) else {
                    throw APIError.browserRequestNotFound
                }
                let id = try call.body.bytes(of: "credentialId")
                guard request.passkeys.contains(where: { $0.credentialId.bytes == id }) else {
                    throw APIError.passkeyNotSuggested
                }
                guard device.browserRequests.pick(id, for: request.number) else {
                    throw APIError.browserRequestNotFound
                }
            },
        ]
    }

    private static let requestSchema = Schema.object(
        .required("options", .anyObject, "PublicKeyCredentialRequestOptionsJSON (WebAuthn L3 §5.1.8)."),
        .required("origin", CeremonyRequest.originSchema, "The caller: a page's origin, or an app."),
        .optional(
            "topOrigin", .string(1...300), "The origin of the top-level page, for a page in a cross-origin frame."),
        .optional("title", .string(0...200), "The page's title, which the panel shows."))
}

/// A conditional request of a browser's page, as the user sees it.
struct BrowserRequest: Codable, Sendable {
    /// A passkey that the user may pick.
    struct Passkey: Codable, Sendable {
        let credentialId: Base64URLBytes
        let userName: String?
        let userDisplayName: String?
    }

    let number: Int
    let origin: String
    let topOrigin: String?
    let title: String?
    let rpId: String
    /// The device's passkeys for it, oldest first.
    let passkeys: [Passkey]

    /// The waiting requests on a device, oldest first.
    static func all(on device: ManagedDevice) async -> [BrowserRequest] {
        let waiting = device.browserRequests.shown
        guard !waiting.isEmpty else { return [] }
        let kept = await device.host.device.authenticator.keptCredentials
        return waiting.map { number, request in
            let passkeys = kept.filter(request.suggests)
            return BrowserRequest(
                number: number, origin: request.origin, topOrigin: request.topOrigin, title: request.title,
                rpId: request.relyingPartyID,
                passkeys: passkeys.map {
                    Passkey(
                        credentialId: Base64URLBytes($0.id), userName: $0.user.name,
                        userDisplayName: $0.user.displayName)
                })
        }
    }
}

extension BrowserRequests.Request {
    /// Reads the body of a request.
    ///
    /// - Throws: `origin.invalid`, `member.idle`, or the client's error for options that a ceremony refuses.
    init(_ body: JSONValue) throws {
        let origin = try CeremonyRequest.origin(body["origin"] ?? .null)
        let options = try RequestOptions(json: try (body["options"] ?? [:]).bytes())
        let accepted = options.allowCredentials ?? []
        self.init(
            origin: origin.description, topOrigin: try CeremonyRequest.topOrigin(body)?.description,
            title: body["title"]?.text, relyingPartyID: try origin.relyingPartyID(claiming: options.rpId),
            verifiesUser: options.userVerification != .discouraged,
            accepted: accepted.isEmpty ? nil : Set(accepted.map(\.id.bytes)))
    }

    /// Whether a browser suggests a passkey for the request: one that the device finds without its ID.
    func suggests(_ credential: StoredCredential) -> Bool {
        credential.isDiscoverable && credential.relyingPartyID == relyingPartyID
            && credential.protection.admits(isNamed: false, userVerified: verifiesUser)
            && accepted?.contains(credential.id) ?? true
    }
}

/// The passkey that the user picked, or the page's error.
struct PickedPasskey: Codable, Sendable {
    /// Its ID, for the member `credentialId` of the ceremony.
    var credentialId: Base64URLBytes?
    /// The error of a request that a browser refuses at once.
    var error: CeremonyFailure?
}

extension APIError {
    static let browserRequestEnded = APIError(
        409, "browserRequest.ended",
        "The device was switched off before the user picked a passkey; start the device, and add the request again.")

    static let tooManyBrowserRequests = APIError(
        409, "browserRequest.tooMany",
        "\(BrowserRequests.most) conditional requests wait on the device, the maximum; end one first.")

    fileprivate static let browserRequestNotFound = APIError(
        404, "browserRequest.notFound",
        "No conditional request has this number; list them with GET …\(ControlOperations.browserRequestsPath).")

    fileprivate static let passkeyNotSuggested = APIError(
        422, "passkey.notSuggested",
        "The request does not suggest this passkey; list its passkeys with GET …\(ControlOperations.browserRequestsPath)."
    )
}
