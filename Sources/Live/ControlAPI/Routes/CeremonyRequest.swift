internal import CTAP
internal import Causes
internal import DeviceHost
internal import DeviceProfiles
internal import Documents
internal import Hummingbird
internal import LoopbackHTTP
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

struct CeremonyRequest: Sendable {
    /// The mediation of a request to create a credential (Credential Management §2.3.2).
    private enum Mediation: String, CaseIterable {
        case optional, required, conditional
    }

    private let kind: Ceremony
    private let options: [UInt8]
    private let origin: Origin
    private let topOrigin: Origin?
    private let hasGesture: Bool
    private let mediation: Mediation
    private let answers: CeremonyAnswers
    /// The request for a passkey that the user has picked; nil without one, and for options that the ceremony refuses.
    private let suggesting: BrowserRequests.Request?
    private let call: CeremonyJournal.Call

    static func schema(_ kind: Ceremony) -> Schema {
        let dictionary =
            kind == .create ? "PublicKeyCredentialCreationOptionsJSON" : "PublicKeyCredentialRequestOptionsJSON"
        return .object(
            Schema.Members(
                members: [
                    .required(
                        "options", .anyObject,
                        "\(dictionary) (WebAuthn L3 §5.1.8): bytes are unpadded base64url."),
                    .required("origin", originSchema, "The caller: a page's origin, or an app."),
                    .optional(
                        "topOrigin", .string(1...300),
                        "The origin of the top-level page, for a page in a cross-origin frame."),
                ] + (kind == .get ? [gesture] + CeremonyAnswers.membersOfGet : [mediation] + CeremonyAnswers.members)))
    }

    private static let gesture = Schema.Member.optional(
        "gesture", .boolean,
        "Whether the user clicks or types before the page asks; default: true. Without it WebKit refuses the request.")

    private static let mediation = Schema.Member.optional(
        "mediation", .choice(Mediation.allCases.map(\.rawValue)),
        "conditional: without a prompt, after a sign-in with a password; default: optional.")

    static let originSchema = Schema.anyOf([
        .string(1...300),
        .object(
            .required("facet", .string(1...300), "The origin in client data: android:apk-key-hash:…, https://…"),
            .required("associatedDomains", .array(.string(1...253), count: 0...100), "The RP IDs the app may use.")),
    ])

    /// - Throws: `origin.invalid`, `base64url.malformed`, `member.idle`.
    init(_ kind: Ceremony, _ body: JSONValue) throws {
        self.kind = kind
        options = try (body["options"] ?? [:]).bytes()
        origin = try Self.origin(body["origin"] ?? .null)
        topOrigin = try Self.topOrigin(body)
        hasGesture = body["gesture"]?.bool ?? true
        mediation = body["mediation"]?.text.flatMap(Mediation.init) ?? .optional
        answers = try CeremonyAnswers(body)
        suggesting = answers.pickedCredentialID.flatMap { _ in try? BrowserRequests.Request(body) }
        call = CeremonyJournal.Call(kind == .create ? .create : .get, body)
    }

    /// The origin of the page around the frame that calls; nil for a caller without one.
    static func topOrigin(_ body: JSONValue) throws(APIError) -> Origin? {
        guard let text = body["topOrigin"]?.text else { return nil }
        guard body["origin"]?["facet"] == nil else {
            throw .idleMember(
                "topOrigin", "has no effect beside the “origin” of an app, which has no page around it; leave it out")
        }
        return try pageOrigin(text)
    }

    static func origin(_ value: JSONValue) throws(APIError) -> Origin {
        if let facet = value["facet"]?.text {
            return .app(facet: facet, associatedDomains: (value["associatedDomains"]?.array ?? []).compactMap(\.text))
        }
        let text = value.text ?? ""
        guard !["android:", "ios:"].contains(where: text.hasPrefix) else {
            throw APIError(
                422, "origin.invalid",
                "“\(text)” is an app's facet, and not a page's origin; send an object with the members facet and "
                    + "associatedDomains, the RP IDs that the app may use.")
        }
        return try pageOrigin(text)
    }

    private static func pageOrigin(_ text: String) throws(APIError) -> Origin {
        do {
            return try Origin(parsing: text)
        } catch {
            throw APIError(422, "origin.invalid", "“\(text)”: \(error).")
        }
    }

    func ending(with device: ManagedDevice) async throws -> CeremonyAnswers.Ending {
        try await answers.perform(call, with: device) { client in
            let json: [UInt8]
            switch kind {
            case .create where mediation == .conditional:
                json = try await device.page.createConditionally(json: options, origin: origin, topOrigin: topOrigin)
            case .create: json = try await client.create(json: options, origin: origin, topOrigin: topOrigin)
            case .get:
                try await device.page.beginModal(withGesture: hasGesture)
                try await requireSuggested(on: device)
                json = try await client.get(json: options, origin: origin, topOrigin: topOrigin)
            }
            return .credential(json: json)
        }
    }

    /// Refuses a picked passkey that no browser suggests for the request.
    private func requireSuggested(on device: ManagedDevice) async throws {
        guard let suggesting, let id = answers.pickedCredentialID else { return }
        let kept = await device.host.device.authenticator.keptCredentials
        guard kept.contains(where: { $0.id == id && suggesting.suggests($0) }) else {
            throw WebAuthnClientError(.notAllowedError, .noCredential)
        }
    }
}
