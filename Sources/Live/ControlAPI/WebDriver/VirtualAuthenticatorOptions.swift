internal import DeviceProfiles
internal import Documents
internal import LoopbackHTTP
internal import ProfileFiles
internal import SimulatedDevice
internal import WebAuthn
internal import Wording

/// The options of a virtual authenticator (WebAuthn L3 §11.3).
struct VirtualAuthenticatorOptions: Sendable {
    let version: String
    let transport: AuthenticatorTransport
    let hasResidentKey: Bool
    let hasUserVerification: Bool
    let person: ControlledUser.Disposition
    let extensions: [String]
    let isBackupEligible: Bool
    let isBackedUp: Bool
    /// The name of a profile that replaces all options above but the user's.
    let profile: String?

    static let extensions = ["prf", "largeBlob", "credBlob", "minPinLength"]

    private static let protocols = ["ctap1/u2f", "ctap2", "ctap2_1"]
    private static let transports = AuthenticatorTransport.all.map(\.rawValue)

    /// The schema of Add Virtual Authenticator's body; `isStrict` refuses unknown keys, and `cable` for `hybrid`.
    static func schema(isStrict: Bool) -> Schema {
        let members: [Schema.Member] = [
            .required("protocol", .choice(protocols)),
            .required("transport", .choice(isStrict ? transports : transports + ["cable"])),
            .optional("hasResidentKey", .boolean), .optional("hasUserVerification", .boolean),
            .optional("isUserConsenting", .boolean), .optional("isUserVerified", .boolean),
            .optional("extensions", .array(.string(), count: 0...100)),
            .optional("defaultBackupEligibility", .boolean), .optional("defaultBackupState", .boolean),
            .optional(
                OwnNames.profile, .string(1...100),
                "The name of a device profile; replaces every option except isUserConsenting and isUserVerified."),
        ]
        return .object(Schema.Members(members: members, isOpen: !isStrict))
    }

    /// - Throws: `unsupported operation` for an unknown extension, `invalid argument` for an unknown name of this program.
    init(_ body: JSONValue) throws(APIError) {
        try OwnNames.check(body, known: OwnNames.profile)
        func flag(_ name: String, _ otherwise: Bool) -> Bool { body[name]?.bool ?? otherwise }
        version = body["protocol"]?.text ?? ""
        let text = body["transport"]?.text ?? ""
        transport = text == "cable" ? .hybrid : AuthenticatorTransport(text)
        hasResidentKey = flag("hasResidentKey", false)
        hasUserVerification = flag("hasUserVerification", false)
        person = ControlledUser.Disposition(
            consents: flag("isUserConsenting", true), verifies: flag("isUserVerified", false))
        extensions = (body["extensions"]?.array ?? []).compactMap(\.text)
        isBackupEligible = flag("defaultBackupEligibility", false)
        isBackedUp = flag("defaultBackupState", false)
        profile = body[OwnNames.profile]?.text
        if let unknown = extensions.first(where: { !Self.extensions.contains($0) }) {
            throw WebDriverError.unsupportedOperation.because(
                "Unknown extension “\(unknown)”; expected \(Self.extensions.joined(separator: ", ")).")
        }
        guard extensions.isEmpty || version != "ctap1/u2f" else {
            throw WebDriverError.unsupportedOperation.because("CTAP1 has no extensions; choose another protocol.")
        }
    }

    func deviceProfile(_ library: ProfileLibrary) throws(APIError) -> DeviceProfile {
        do {
            if let profile { return try library.known(profile) }
            return try DeviceProfile(parsing: yaml, file: "virtual authenticator")
        } catch {
            throw WebDriverError.invalidArgument.because(Wording.sentence("\(error)"))
        }
    }
}

extension VirtualAuthenticatorOptions {
    private var isU2F: Bool { version == "ctap1/u2f" }
    private var isPlatform: Bool { transport == .internal }

    /// The options as a profile file.
    private var yaml: String {
        let discoverable = hasResidentKey && !isU2F ? "onRequest" : "never"
        var lines = [
            "name: virtual-authenticator", "title: Virtual authenticator of a WebDriver session",
            "platform: security-key", "authenticator:",
            // The values of Chromium's virtual authenticators, which tests of relying parties may expect.
            "  aaguid: 01020304-0506-0708-0102-030405060708",
            "  attachment: \(isPlatform ? "platform" : "cross-platform")", "  versions: [\(versions)]",
            "  algorithms: [\(isU2F ? "ES256" : "ES256, EdDSA, RS256")]", "  transports: [\(transport)]",
            "  discoverable: \(discoverable)", "  capacity: 1000", "  counter: perCredential",
            "  keep-all-credentials: true", "  make-credential-without-uv: true", "  pin-protocols: [2, 1]",
            // AuthenticatorCommands sets a BS without BE, which no profile has.
            "  backup: { eligible: \(isBackupEligible), state: \(isBackupEligible && isBackedUp) }",
            "  attestation: [\(isU2F ? "fido-u2f" : "packed")]",
            "  limits: { message: 7609, list: 64, credential-id: 1023 }",
            "  extensions: [\(extensionNames.joined(separator: ", "))]", "  u2f: \(isU2F)",
        ]
        // A new credential of CTAP2 begins at 1 in Chromium, one of U2F at 0.
        if !isU2F { lines.append("  counter-start: 1") }
        if extensions.contains("minPinLength") { lines.append("  min-pin-length-rp-ids: { most: 8 }") }
        if version == "ctap2_1" {
            lines += ["  client-pin: \(!hasUserVerification)", "  pin-uv-auth-token: true"]
            if hasResidentKey { lines += ["  management:", "    credentials: yes"] }
        } else {
            lines.append("  pin-uv-auth-token: false")
        }
        return (lines + verification).joined(separator: "\n") + "\n"
    }

    private var versions: String {
        switch version {
        case "ctap1/u2f": "U2F_V2, FIDO_2_0"
        case "ctap2_1": "FIDO_2_0, FIDO_2_1"
        default: "FIDO_2_0"
        }
    }

    private var extensionNames: [String] {
        // FIDO_2_1 comes with the first two (CTAP 2.3 §9).
        var names = version == "ctap2_1" ? ["credProtect", "hmac-secret"] : []
        for name in extensions {
            switch name {
            case "prf": names += names.contains("hmac-secret") ? ["hmac-secret-mc"] : ["hmac-secret", "hmac-secret-mc"]
            default: names.append(name)
            }
        }
        return names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// A sensor with one attempt for each prompt, and a device credential that unlocks it.
    private var verification: [String] {
        guard hasUserVerification, !isU2F else { return [] }
        return [
            "sensor:", "  modality: fingerprint", "  class: 3", "  templates: [owner]", "device-credential: passcode",
            "lockout:", "  attempts-per-prompt: 1", "  permanent-at: 5", "  prompt-timeout: 30 s",
            "  invalidation: never",
        ]
    }
}
