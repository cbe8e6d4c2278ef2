internal import CTAP
internal import Causes
internal import DeviceProfiles
internal import Documents
internal import ForeignParties
internal import PlatformErrors
internal import RelyingParty
internal import WebAuthn
internal import WebAuthnClient

/// A WebAuthn ceremony: the relying party begins it, the client asks the device, the relying party completes it.
package struct CeremonyStep: Hashable, Sendable {
    /// The ceremony; the raw value is its word.
    package enum Kind: String, Sendable {
        case register
        case signIn = "sign-in"
        /// Verifies the user again within a session.
        case reauthenticate
    }

    package let kind: Kind
    /// The account named at sign-in; nil leaves it to the passkey.
    var account: String?
    /// The user verification requirement; nil takes the relying party's own.
    var userVerification: UserVerificationRequirement?
    /// The resident key requirement of a registration; nil takes the relying party's own.
    var residentKey: ResidentKeyRequirement?
    /// The attestation conveyance preference of a registration; nil takes the relying party's own.
    var attestation: AttestationConveyancePreference?
    /// Whether the user clicks or types before a page asks.
    var hasGesture = true
    /// The origin of the page, or the facet of an Android app; nil for the relying party's origin.
    var origin: String?
    /// Whether an app asks, and not a page.
    var isFromApp = false
    /// Whether an app asks only for passkeys that the device itself has.
    var isImmediate = false
    /// Whether the page is on another computer, whose QR code the device scans.
    var isScanned = false
    /// The page's change to the response; nil for an honest page.
    var tampering: ResponseTampering?
}

extension CeremonyStep: StepKind {
    static let place = StepPlace.device
    var action: ScenarioStep.Action { .ceremony(self) }

    private static let userVerificationKey = StepKey.optional(
        "user-verification", Form<UserVerificationRequirement>.choice, "The requirement; default: the relying party's.")
    private static let account = StepKey.optional(
        "account", Form.scalar, "The account named at sign-in; default: the passkey identifies it.")

    private static let origin = StepKey.optional(
        "origin", Form.origin,
        "The origin of the page, or android:apk-key-hash:… for an Android app; default: the relying party's origin.")
    private static let caller = StepKey.optional(
        "caller", Form<Caller>.choice,
        "The caller: a page, or an app that the relying party's domain lists; default: page, with an android:apk-key-hash origin app."
    )

    /// The kind of program that asks for a passkey.
    private enum Caller: String, CaseIterable, Sendable { case page, app }

    private static func isApp(_ caller: Caller?, _ origin: String?) -> Bool {
        caller.map { $0 == .app } ?? origin.map(Origin.isAndroidFacet) ?? false
    }
    private static let scan = StepKey.optional(
        "scan", .flag,
        "Whether the page is on another computer, whose QR code the device scans (hybrid transport); default: false.")
    private static let tampering = StepKey.optional(
        "tamper", Form<ResponseTampering>.choice, "The page's change to the response; default: none.")

    static let verbs: [StepVerb] = ListBuilder<StepVerb>.list {
        verb(
            Kind.register.rawValue, userVerificationKey,
            .optional("resident-key", .choice, "The requirement; default: the relying party's."),
            .optional("attestation", .choice, "The preference; default: the relying party's."), origin, caller, scan,
            tampering
        ) {
            CeremonyStep(
                kind: .register, userVerification: $0, residentKey: $1, attestation: $2, origin: $3,
                isFromApp: isApp($4, $3), isScanned: $5 ?? false, tampering: $6)
        }
        signIn(.signIn)
        signIn(.reauthenticate)
    }

    private static func signIn(_ kind: Kind) -> StepVerb {
        verb(
            kind.rawValue, account, userVerificationKey,
            .optional("gesture", .flag, "Whether the user clicks or types before the page asks; default: true."),
            origin, caller,
            .optional(
                "immediately-available", .flag,
                "preferImmediatelyAvailableCredentials of an app: only passkeys of the device itself; default: false."),
            scan, tampering
        ) {
            CeremonyStep(
                kind: kind, account: $0, userVerification: $1, hasGesture: $2 ?? true, origin: $3,
                isFromApp: isApp($4, $3), isImmediate: $5 ?? false, isScanned: $6 ?? false, tampering: $7)
        }
    }

    var title: String {
        let act =
            switch kind {
            case .register: "registers a passkey"
            case .signIn: "signs in" + (account.map { " as \($0)" } ?? "")
            case .reauthenticate: "reauthenticates"
            }
        return act + (isScanned ? " on another computer, whose QR code it scans" : "")
    }

    /// The operation whose platform errors its failure shows.
    var operation: PlatformOperation { kind == .register ? .create : .get }

    var requirements: PartyRequirements {
        var requirements = PartyRequirements(account: account)
        requirements.userVerification = userVerification?.rawValue
        requirements.residentKey = residentKey?.rawValue
        requirements.attestation = attestation?.rawValue
        return requirements
    }

    func perform(on device: StageDevice, at party: any PageParty) async throws -> StepResult {
        let origin = try caller(at: party)
        if isImmediate, await !device.hasPasskey(of: try party.origin.relyingPartyID(claiming: nil)) {
            // The user is asked for nothing, and a roaming authenticator is not asked either.
            let error = WebAuthnClientError(.notAllowedError, .noCredential)
            return unsent(StepResult(isRefused: true, clientError: error, isFromApp: isFromApp))
        }
        let computer = isScanned ? device.computer(showingCodeFor: kind) : nil
        let client = computer?.client ?? device.client
        let page = computer?.page ?? device.page
        var result: StepResult
        switch kind {
        case .register:
            result = try await perform(on: device, at: party) { (options: CreationOptions) in
                party.memory.registers(options)
                let response = try await client.create(options, origin: origin)
                let object = try? AttestationObject(parsing: response.response.attestationObject.bytes)
                return (response, object?.authenticatorData ?? [])
            }
        case .signIn, .reauthenticate:
            result = try await perform(on: device, at: party) { (options: RequestOptions) in
                if hasGesture { await page.gesture() }
                let response = try await page.get(options, origin: origin)
                party.memory.presents(response)
                return (response, response.response.authenticatorData.bytes)
            }
        }
        if let computer { await computer.explain(&result) }
        return result
    }

    /// The reason why the platform has no such app, and the remedy; nil for a possible app.
    func problem(on platform: Platform) -> String? {
        let isAndroidApp = origin.map(Origin.isAndroidFacet) ?? false
        if isAndroidApp, !isFromApp { return "a page has no origin of an Android app; remove caller or origin" }
        if isImmediate, !isFromApp { return "immediately-available is an option of apps; add caller: app" }
        if isScanned, isFromApp { return "scan is about a page on another computer; remove caller and an app's origin" }
        switch platform {
        case .android where isFromApp && !isAndroidApp:
            return "an app on Android has an origin of its own; add origin: android:apk-key-hash:…"
        case .ios, .macos, .windows: return isAndroidApp ? "an Android app runs on Android only; remove origin" : nil
        case .android, .securityKey: return nil
        }
    }

    /// The page or the app that asks; an app may claim the relying party's ID.
    private func caller(at party: any PageParty) throws -> Origin {
        guard isFromApp else { return try origin.map { text in try Origin(parsing: text) } ?? party.origin }
        let domain = try party.origin.relyingPartyID(claiming: nil)
        return .app(facet: origin ?? party.origin.description, associatedDomains: [domain])
    }

    /// Begins the ceremony, asks the client, and completes it; the app has to be able to send each request.
    private func perform<Options: Decodable, Response: Encodable & Sendable>(
        on device: StageDevice, at party: any PageParty,
        ask: (Options) async throws -> (response: Response, authenticatorData: [UInt8])
    ) async throws -> StepResult {
        if let cause = obstacle(at: device) { return unsent(.refused(cause)) }
        let profile = isScanned ? nil : device.profile
        guard let options: Options = try await party.begin(kind, requirements, from: profile) else {
            return unsent(StepResult())
        }
        let answer: (response: Response, authenticatorData: [UInt8])
        do {
            answer = try await ask(options)
        } catch let error as WebAuthnClientError {
            return unsent(StepResult(isRefused: true, clientError: error, isFromApp: isFromApp))
        }
        let data = try? AuthenticatorData(parsing: answer.authenticatorData)
        if let cause = obstacle(at: device) { return unsent(.refused(cause, authenticatorData: data)) }
        let idleness = try await send(answer.response, from: profile, to: party)
        return StepResult(authenticatorData: data, idleness: idleness)
    }

    /// The reason why the app on the device cannot ask; a page on another computer always can.
    private func obstacle(at device: StageDevice) -> Cause? { isScanned ? nil : device.obstacleToCeremony }

    /// The result of a ceremony without a response that the page could change.
    private func unsent(_ result: StepResult) -> StepResult {
        var result = result
        if tampering != nil { result.idleness = "the step ended before the response that tamper changes" }
        return result
    }

    /// Sends the response; returns the reason why the page's change to it has no effect, if it has none.
    private func send(
        _ response: some Encodable & Sendable, from profile: DeviceProfile?, to party: any PageParty
    ) async throws -> String? {
        guard let tampering else {
            _ = try await party.complete(kind, response, from: profile)
            return nil
        }
        let changed = try tampering.applied(to: try JSONValue(encoding: response))
        let accepted = try await party.complete(kind, changed, from: profile)
        guard tampering == .replay else { return nil }
        guard accepted else { return "the first response was refused, so tamper sent no second one" }
        _ = try await party.complete(kind, changed, from: profile)
        return nil
    }
}

extension Form where Value == String {
    /// The origin of a page, or the facet of an Android app.
    static var origin: Form {
        Form(.scalar, words: "an origin") { value in
            let text = try value.string()
            if Origin.isAndroidFacet(text) {
                guard let hash = text.split(separator: ":").last, Base64URL.decode(String(hash))?.count == 32 else {
                    throw value.error(
                        "\"\(text)\" is not an app's origin; write android:apk-key-hash: and the SHA-256 hash of the "
                            + "signing certificate in base64url, 43 characters")
                }
                return text
            }
            do {
                return try Origin(parsing: text).description
            } catch {
                throw value.error("\"\(text)\" is not an origin; write one such as https://example.com")
            }
        }
    }
}
