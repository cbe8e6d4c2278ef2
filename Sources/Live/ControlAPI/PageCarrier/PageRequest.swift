internal import Documents
internal import WebAuthn

/// A page's request for passkeys: the message of `relay.js`, the browser's statement about its document, and the user's settings.
struct PageRequest: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case create, get, capabilities, signal
    }

    // The message; the schema describes its members, and those of the browser's statement.
    let kind: Kind
    let mediation: String
    let signal: String?
    let options: JSONValue
    let seenOrigin: String
    let ancestors: [String]
    /// nil for a browser that does not tell.
    let permissions: [String]?
    let hasGesture: Bool
    let isBusy: Bool
    let title: String?

    /// nil for a document that the browser does not know.
    let origin: String?
    let topOrigin: String?

    let place: BrowserRequests.Place
    /// Whether a conditional request waits for the user.
    let waits: Bool
    /// The user's part of a ceremony: `pins` and `account`.
    let answers: [String: JSONValue]
    /// Whether the user is there; a ceremony that begins without the user waits for its timeout.
    let isUserPresent: Bool

    /// Reads the body of a request, which fits the schema.
    init(_ body: JSONValue, isUserPresent: Bool = true) {
        let message = body["message"] ?? [:]
        kind = message["kind"]?.text.flatMap(Kind.init) ?? .capabilities
        mediation = message["mediation"]?.text ?? "optional"
        signal = message["signal"]?.text
        options = message["options"] ?? [:]
        seenOrigin = message["origin"]?.text ?? ""
        ancestors = (message["ancestors"]?.array ?? []).compactMap(\.text)
        permissions = message["permissions"]?.array?.compactMap(\.text)
        hasGesture = message["hasGesture"]?.bool ?? false
        isBusy = message["isBusy"]?.bool ?? false
        title = message["title"]?.text
        origin = body["origin"]?.text
        topOrigin = body["topOrigin"]?.text
        place = BrowserRequests.Place(body)
        waits = body["waits"]?.bool ?? true
        answers = CeremonyAnswers.members(of: body)
        self.isUserPresent = isUserPresent
    }

    /// Whether no prompt asks: a get() waits for a suggestion in a field, a create() follows a sign-in with a password.
    var isConditional: Bool { mediation == "conditional" }

    /// The claimed RP ID; nil for the document's domain.
    var relyingPartyID: String? { (kind == .create ? options["rp"]?["id"] : options["rpId"])?.text }

    /// Whether a browser looks for an allowed credential behind one of the transports.
    ///
    /// Transports are hints; a browser asks only those that the relying party names, and ignores unknown names.
    func reaches(_ transports: [AuthenticatorTransport]) -> Bool {
        let allowed = kind == .get ? options["allowCredentials"]?.array ?? [] : []
        func reaches(_ credential: JSONValue) -> Bool {
            let texts = credential["transports"]?.array?.compactMap(\.text) ?? []
            let named = texts.map { AuthenticatorTransport($0) }.filter { AuthenticatorTransport.all.contains($0) }
            return named.isEmpty || named.contains { transports.contains($0) }
        }
        return allowed.isEmpty || transports.isEmpty || allowed.contains(where: reaches)
    }

    static let autofill = Schema.Member.optional(
        "autofill", .boolean,
        "For conditional requests: the user picks a suggested passkey at once; default: false.")

    static let schema: Schema = {
        let origin = Schema.string(0...300)
        let message = Schema.Members(
            members: [
                .required("kind", .choice(Kind.allCases.map(\.rawValue)), "The kind of the page's request."),
                .optional("mediation", .string(), "The mediation of a ceremony."),
                .optional("signal", .string(), "The name of a signal's method."),
                .optional("options", .anyObject, "The options of a ceremony or a signal, as JSON."),
                .required("origin", origin, "The document's origin as its isolated world sees it."),
                .optional("ancestors", .array(origin), "The origins of the documents around it, the nearest first."),
                .optional(
                    "permissions", .array(.string()), "The ceremonies that Permissions Policy allows in the document."),
                .optional("hasGesture", .boolean, "Whether the user clicks or types before the page asks."),
                .optional("isBusy", .boolean, "Whether another ceremony of the document has no answer yet."),
                .optional("title", .string(0...200), "The page's title, which the panel shows."),
            ], isOpen: true)
        return .object(
            Schema.Members(
                members: [
                    .required("message", .object(message), "The message of `relay.js`."),
                    .optional(
                        "origin", origin,
                        "The document's origin as the browser states it; left out for a document that the browser does not know."
                    ),
                    .optional(
                        "topOrigin", origin,
                        "The origin of the top-level page as the browser states it; default: as the isolated world sees it."
                    ),
                    autofill,
                    .optional(
                        "waits", .boolean,
                        "For conditional requests: whether they wait for the user's pick; default: true. Otherwise an answer may be empty."
                    ),
                ] + BrowserRequests.Place.members + CeremonyAnswers.members))
    }()
}
