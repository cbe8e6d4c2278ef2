internal import Documents
internal import LoopbackHTTP

/// The capabilities of a session, and their matching with a client's (WebDriver §7).
enum Capabilities {
    /// The capabilities of every session.
    static let own: [String: JSONValue] = webAuthn.reduce(into: [
        // Clients refuse to send virtual authenticator commands to a browser named firefox or safari.
        "browserName": "touchstone", "browserVersion": "1", "platformName": "any", "acceptInsecureCerts": false,
        "pageLoadStrategy": "normal", "setWindowRect": false, "strictFileInteractability": false,
        "unhandledPromptBehavior": "dismiss and notify", "proxy": [:],
        "timeouts": ["implicit": 0, "pageLoad": 300_000, "script": 30_000],
    ]) { $0[$1] = true }

    /// The schema of the body of `POST /session`.
    static let schema: Schema = {
        let set = Schema.named(
            "Capabilities", .object(Schema.Members(members: webAuthn.map { .optional($0, .boolean) }, isOpen: true)))
        let requested = Schema.Members(
            members: [.optional("alwaysMatch", set), .optional("firstMatch", .array(set, count: 1...100))], isOpen: true
        )
        return .object(Schema.Members(members: [.required("capabilities", .object(requested))], isOpen: true))
    }()

    /// The capabilities of WebAuthn, all of which a session has (WebAuthn L3 §11.2).
    private static let webAuthn =
        ["webauthn:virtualAuthenticators"] + VirtualAuthenticatorOptions.extensions.map { "webauthn:extension:" + $0 }

    private static let deviceNeedsBrowser = WebDriverError.invalidArgument.because(
        "“\(OwnNames.device)” is for the browsers of `touchstone webdriver`, and this server has none. Start the device with "
            + "POST /v1/devices, or add a virtual authenticator with “\(OwnNames.profile)”.")

    /// Checks that one of the client's combinations matches.
    ///
    /// Any browser name, version and platform match, because there is no browser.
    ///
    /// - Throws: `invalid argument` for a member in both places and for a name of this program, `session not created` when no
    ///   combination matches.
    static func match(_ body: JSONValue) throws(APIError) {
        let sets = [body["capabilities"]?["alwaysMatch"] ?? [:]] + (body["capabilities"]?["firstMatch"]?.array ?? [])
        for object in [body, body["capabilities"] ?? [:]] + sets {
            guard object[OwnNames.device] == nil else { throw deviceNeedsBrowser }
            try OwnNames.check(object)
        }
        let always = body["capabilities"]?["alwaysMatch"]?.object ?? [:]
        let first = body["capabilities"]?["firstMatch"]?.array ?? [[:]]
        var refused: [String] = []
        for alternative in first {
            let requested = alternative.object ?? [:]
            if let twice = requested.keys.first(where: { always[$0] != nil }) {
                throw WebDriverError.invalidArgument.because("“\(twice)” is in alwaysMatch and in firstMatch.")
            }
            let wanted = always.merging(requested) { first, _ in first }
            let missing = wanted.keys.filter { name in
                name.hasPrefix("webauthn:") && wanted[name] == true && own[name] == nil
            }
            if missing.isEmpty { return }
            refused += missing
        }
        throw WebDriverError.sessionNotCreated.because(
            "Unsupported capabilities: \(refused.sorted().joined(separator: ", ")).")
    }
}
