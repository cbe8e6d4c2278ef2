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

    /// The operations on the conditional requests that a browser keeps for its pages.
    var browserRequests: [Operation] {
        [
            onDevice(
                .get, Self.browserRequestsPath, "listBrowserRequests",
                "List the conditional requests that a browser keeps, with the passkeys that the user may pick",
                .ceremonies,
                answer: TypedAnswer<[BrowserRequest]>(
                    "The waiting requests, oldest first",
                    schema: .array(.named("BrowserRequest", Schema.of(BrowserRequest.self))))
            ) { device, _ in await BrowserRequest.all(on: device) },
            onDevice(
                .post, Self.browserRequestsPath, "addBrowserRequest",
                "Add a conditional request that a browser keeps; the answer follows when the user picks a passkey",
                .ceremonies, body: Self.requestSchema,
                answer: TypedAnswer<PickedPasskey>("The passkey that the user picked"), errors: [409, 422],
                mayWaitForUser: true
            ) { device, call in
                switch await device.browserRequests.wait(try Self.request(call.body)) {
                case .picked(let id): return PickedPasskey(credentialId: Base64URLBytes(id))
                case .ended: throw APIError.browserRequestEnded
                case .tooMany: throw APIError.tooManyBrowserRequests
                }
            },
            operation(
                .post, "/v1/devices/{device}\(Self.browserRequestsPath)/{request}/pick", "pickPasskey",
                "The user picks a passkey for a conditional request that a browser keeps", .ceremonies,
                body: .object(.required("credentialId", .credentialID, "The ID of one of its passkeys.")),
                done: "The browser learns of it", errors: [422]
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
        .required(
            "options", .anyObject,
            "PublicKeyCredentialRequestOptionsJSON (WebAuthn L3 §5.1.8), of which rpId and allowCredentials count."),
        .required("origin", CeremonyRequest.originSchema, "The caller: a page's origin, or an app."))

    /// - Throws: `origin.invalid`, `rpId.refused`.
    private static func request(_ body: JSONValue) throws(APIError) -> BrowserRequests.Request {
        let origin = try CeremonyRequest.origin(body["origin"] ?? .null)
        let options = body["options"]
        let named = options?["allowCredentials"]?.array ?? []
        let accepted = named.compactMap { $0["id"]?.text.flatMap(Base64URL.decode) }
        do {
            return BrowserRequests.Request(
                origin: origin.description,
                relyingPartyID: try origin.relyingPartyID(claiming: options?["rpId"]?.text),
                accepted: named.isEmpty ? nil : Set(accepted))
        } catch {
            throw APIError(
                422, "rpId.refused",
                "The origin may not use this RP ID (\(error.reason.label)); name its own domain or a parent of it.")
        }
    }
}

/// A conditional request that a browser keeps for a page, as the user sees it.
struct BrowserRequest: Codable, Sendable {
    /// A passkey that the user may pick.
    struct Passkey: Codable, Sendable {
        let credentialId: Base64URLBytes
        let userName: String?
        let userDisplayName: String?
    }

    /// Its number on this device.
    let number: Int
    let origin: String
    let rpId: String
    /// The device's passkeys for it, oldest first.
    let passkeys: [Passkey]

    /// The waiting requests on a device, oldest first.
    static func all(on device: ManagedDevice) async -> [BrowserRequest] {
        let waiting = device.browserRequests.all
        guard !waiting.isEmpty else { return [] }
        let kept = await device.host.device.authenticator.keptCredentials.filter(\.isDiscoverable)
        return waiting.map { number, request in
            let passkeys = kept.filter {
                $0.relyingPartyID == request.relyingPartyID && request.accepted?.contains($0.id) ?? true
            }
            return BrowserRequest(
                number: number, origin: request.origin, rpId: request.relyingPartyID,
                passkeys: passkeys.map {
                    Passkey(
                        credentialId: Base64URLBytes($0.id), userName: $0.user.name,
                        userDisplayName: $0.user.displayName)
                })
        }
    }
}

/// The passkey that the user picked.
struct PickedPasskey: Codable, Sendable {
    /// Its ID, for the member `credentialId` of the ceremony.
    let credentialId: Base64URLBytes
}

extension APIError {
    fileprivate static let browserRequestEnded = APIError(
        409, "browserRequest.ended",
        "The device was switched off before the user picked a passkey; start it, and add the request again.")

    fileprivate static let tooManyBrowserRequests = APIError(
        409, "browserRequest.tooMany",
        "\(BrowserRequests.most) conditional requests wait on the device, its maximum; end one first.")

    fileprivate static let browserRequestNotFound = APIError(
        404, "browserRequest.notFound",
        "No conditional request has this number; list them with GET …\(ControlOperations.browserRequestsPath).")

    fileprivate static let passkeyNotSuggested = APIError(
        422, "passkey.notSuggested",
        "The request does not suggest this passkey; list its passkeys with GET …\(ControlOperations.browserRequestsPath)."
    )
}
