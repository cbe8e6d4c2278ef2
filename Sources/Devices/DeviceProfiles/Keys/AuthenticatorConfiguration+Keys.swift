internal import Attestation
internal import COSE
internal import CTAP
internal import Documents
internal import VirtualAuthenticator
internal import WebAuthn

extension AuthenticatorConfiguration {
    private typealias Key = DocumentKey<AuthenticatorConfiguration>

    static let section: DocumentSection<AuthenticatorConfiguration> = DocumentSection {
        modelKeys
        pinKeys
        credentialKeys
        extensionKeys
        transportKeys
        Key(
            "management", \.management, .mapping(ManagementConfiguration.section, from: ManagementConfiguration()),
            "The management commands of CTAP 2.1 and later.")
    } check: { model, fields in
        if let length = fields["credential-id-length"], model.credentialIDLength > model.maxCredentialIDLength {
            throw length.error(
                "is \(model.credentialIDLength), but limits.credential-id is \(model.maxCredentialIDLength)")
        }
    }

    private static let version = Form<String>.name(["U2F_V2", "FIDO_2_0", "FIDO_2_1_PRE", "FIDO_2_1", "FIDO_2_3"])

    /// A transport as getInfo over hybrid names it; Android's phones also say `cable`.
    private static let hybridTransport: Form<AuthenticatorTransport> = .named(
        (AuthenticatorTransport.all + ["cable"].map { AuthenticatorTransport($0) }).map { ($0.rawValue, $0) })

    /// The AAGUID over hybrid.
    private enum HybridAAGUID: String, CaseIterable, Sendable {
        case own, zero
    }

    private static let transport: Form<AuthenticatorTransport> = .named(
        AuthenticatorTransport.all.map { ($0.rawValue, $0) })

    @SectionBuilder<AuthenticatorConfiguration>
    private static var modelKeys: [DocumentKey<AuthenticatorConfiguration>] {
        Key(
            "aaguid", \.aaguid, .aaguid, "The AAGUID, which names the model: 8-4-4-4-12 hexadecimal digits.",
            .requiredOnceMerged)
        Key(
            "attachment", Form<AuthenticatorAttachment>.choice,
            "The attachment: built into the client device, or roaming.",
            .requiredOnceMerged
        ) { model, attachment, _ in model.isPlatform = attachment == .platform }
        Key(
            "transports", \.transports,
            .list(of: transport, orElse: "expected a transport by which clients reach the device"),
            "The transports by which clients reach the device.", .requiredOnceMerged)
        Key(
            "versions", \.versions, .list(of: version),
            "getInfo's `versions`; a version whose mandatory features are missing is refused (CTAP 2.3 §9). `[U2F_V2]` is a key without CTAP2."
        )
        Key(
            "hybrid",
            "A phone's getInfo over hybrid transport, as far as it differs; `rk` and `uv` are its only options there."
        ) {
            Key("versions", \.hybrid.versions, .list(of: version), "`versions`; default: those above.")
            Key(
                "extensions", \.hybrid.extensions, .list(of: .choice),
                "The extensions; `prf` is WebAuthn's, without hmac-secret; default: none.")
            Key(
                "transports", \.hybrid.transports, .list(of: hybridTransport),
                "`transports`, also under names of phones' own; default: those above.")
            Key(
                "aaguid", Form<HybridAAGUID>.choice, "`own`, or `zero` for 16 zero bytes; default: own."
            ) { model, aaguid, _ in model.hybrid.hidesAAGUID = aaguid == .zero }
        }
        Key("firmware", \.firmwareVersion, .number(), "getInfo's `firmwareVersion`.")
        Key("certifications", \.certifications, .table(of: .number()), "getInfo's `certifications`: levels by name.")
        Key("display", \.hasDisplay, .flag, "Whether the user chooses among accounts on the device itself.")
        Key(
            "conditional-create", \.createsConditionally, .flag,
            "Whether a page may have a passkey made without a prompt, after a sign-in with a password.")
        Key(
            "user-action-timeout", \.userActionTimeout, .span,
            "The time that the device waits for a touch; default: 30 s.")
        Key("limits", "Limits on sizes, as getInfo reports them.") {
            Key("message", \.maxMsgSize, .number(1024...7609), "`maxMsgSize`, in bytes.")
            Key("list", \.maxCredentialCountInList, .number(1...1000), "`maxCredentialCountInList`.")
            Key("credential-id", \.maxCredentialIDLength, .number(128...1023), "`maxCredentialIdLength`, in bytes.")
        }
        Key(
            "unlisted", Form.list(of: Form<UnlistedMember>.choice),
            "Members that getInfo leaves out, as older keys do."
        ) { model, members, _ in model.unlistedMembers = Set(members) }
    }

    @SectionBuilder<AuthenticatorConfiguration>
    private static var pinKeys: [DocumentKey<AuthenticatorConfiguration>] {
        Key("client-pin", \.supportsClientPIN, .flag, "Whether a PIN can be set.")
        Key(
            "min-pin-length", \.minPINLength, .number(4...63), "The minimum length of a PIN in code points; default: 4."
        )
        Key(
            "max-pin-length", \.maxPINLength, .number(8...63),
            "The maximum length of a PIN in bytes of UTF-8; default: 63.")
        Key(
            "max-pin-retries", \.maxPINRetries, .number(1...8),
            "The number of wrong PINs in a row after which only a reset helps; default: 8.")
        Key(
            "pin-protocols", \.pinUvAuthProtocols, .list(of: .pinProtocol),
            "The PIN/UV auth protocols, most preferred first; default: `[2, 1]`.")
        Key(
            "pin-uv-auth-token", \.supportsPinUvAuthToken, .flag,
            "Whether PIN/UV auth tokens carry permissions; default: `true`.")
        Key(
            "pin-complexity", \.pinComplexityPolicy, .flag,
            "Whether PINs must meet more than a minimum length; without it, the device does not know `pinComplexityPolicy`."
        )
        Key(
            "pin-complexity-url", \.pinComplexityPolicyURL, .text, "The address of a page that explains the PIN policy."
        )
        Key("min-pin-length-rp-ids", "The relying parties that receive the minimum length of the PIN.") {
            Key("ids", \.minPINLengthRelyingPartyIDs, .list(of: .text), "The RP IDs from the start.")
            Key(
                "most", \.maxRPIDsForSetMinPINLength, .number(0...100),
                "The maximum number of RP IDs in setMinPINLength.")
        }
        Key("no-pin-for-credentials", \.refusesPINForCredentials, .flag, "`noMcGaPermissionsWithClientPin`.")
        Key("make-credential-without-uv", \.makeCredUvNotRequired, .flag, "`makeCredUvNotRqd`.")
        Key(
            "always-uv", \.alwaysUV, .flag,
            "`alwaysUv`; without it, the device does not know the option.")
        Key("preferred-uv-attempts", \.preferredPlatformUVAttempts, .number(1...25), "`preferredPlatformUvAttempts`.")
        Key("uv-count", \.countsUVSincePINEntry, .flag, "Whether getInfo reports `uvCountSinceLastPinEntry`.")
    }

    @SectionBuilder<AuthenticatorConfiguration>
    private static var credentialKeys: [DocumentKey<AuthenticatorConfiguration>] {
        Key(
            "algorithms",
            Form.list(
                of: .named(COSE.Algorithm.known.compactMap { algorithm in algorithm.name.map { ($0, algorithm) } }),
                orElse: "expected an algorithm to make keys with"),
            "The COSE algorithms, most preferred first; default: `[ES256]`."
        ) { model, algorithms, place in
            model.algorithms = algorithms
            // A build without a library has the rest of them.
            if model.possibleAlgorithms.isEmpty, let absence = algorithms.compactMap(\.absence).first {
                throw place.error("\(absence); add ES256")
            }
        }
        Key("discoverable", \.discoverability, .choice, "When a credential becomes discoverable; default: `onRequest`.")
        Key(
            "capacity", \.discoverableCapacity, .number(0...100_000),
            "The number of discoverable credentials the device can hold; default: 50.")
        Key(
            "keep-all-credentials", \.keepsAllCredentials, .flag,
            "Whether the device also stores credentials that are not discoverable, where they can be listed, instead of in their IDs; default: `false`."
        )
        Key(
            "counter", \.counterMode, .choice,
            "The signature counter; `timestamp` is the device's clock in seconds since 1970.")
        Key("counter-start", Form.number(), "The first counter value of a credential, with `counter: perCredential`.") {
            model, start, place in
            guard model.counterMode == .perCredential else { throw place.error("needs counter: perCredential") }
            model.initialSignatureCounter = UInt32(clamping: start)
        }
        Key("backup", "The backup flags of new credentials.") {
            Key("eligible", \.isBackupEligible, .flag, "BE.", .required)
            Key("state", \.isBackedUp, .flag, "BS.", .required)
        }
        Key(
            "credential-id-length", \.credentialIDLength, .number(16...1023),
            "The length in bytes of the IDs of stored credentials, at most `limits.credential-id`; default: 32.")
        Key(
            "attestation", \.attestation, .list(of: .choice),
            "The attestation formats of new credentials, most preferred first; `touchstone attestation list` lists them."
        )
    }

    @SectionBuilder<AuthenticatorConfiguration>
    private static var extensionKeys: [DocumentKey<AuthenticatorConfiguration>] {
        Key(
            "extensions", \.extensions, .list(of: .choice),
            """
            The extensions that getInfo lists; `largeBlob` is the form of phones: blobs stored with credentials, unsigned \
            outputs; `previewSign` is a draft: a key beside the credential that signs arbitrary data.
            """
        )
        Key(
            "cred-blob-length", \.maxCredBlobLength, .number(32...1024),
            "The maximum length of a credBlob in bytes; default: 32.")
        Key(
            "large-blobs", \.largeBlobCapacity, .number(1024...65_536),
            "The capacity for large blobs in bytes; without it, the device has none.")
        Key("u2f", \.supportsU2F, .flag, "Whether the device also answers CTAP1/U2F.")
    }

    @SectionBuilder<AuthenticatorConfiguration>
    private static var transportKeys: [DocumentKey<AuthenticatorConfiguration>] {
        Key(
            "reset-transports", \.transportsForReset, .list(of: transport),
            "`transportsForReset`; without it, the device accepts a reset on every transport.")
        Key(
            "reset-window", \.resetWindow, .span,
            "The time after power-up in which the device accepts a reset; default: 10 s.")
        Key(
            "nfc-presence", \.contactlessPresence, .choice,
            "The proof of user presence over NFC: laying the device on the reader (`tap`, default) or its own button (`touch`)."
        )
        Key(
            "nfc-presence-limit", Form.span,
            "The time that a tap counts: at most 120 s (CTAP 2.3 §5), which is the default."
        ) { model, limit, place in
            guard limit <= .seconds(120) else { throw place.error("expected at most 120 s") }
            model.contactlessPresenceLimit = limit
        }
    }
}

extension Form where Value == AAGUID {
    fileprivate static var aaguid: Form {
        Form(
            .pattern("[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"), words: "AAGUID"
        ) { value in
            guard let aaguid = AAGUID(try value.string()) else {
                throw value.error("expected an AAGUID such as 01020304-0506-0708-0102-030405060708")
            }
            return aaguid
        }
    }
}

extension Form where Value == PINUVAuthProtocol {
    fileprivate static var pinProtocol: Form {
        Form(.integer(1...2), words: "1 or 2") { value in
            guard let pinProtocol = PINUVAuthProtocol(rawValue: try value.int()) else {
                throw value.error("expected 1 or 2")
            }
            return pinProtocol
        }
    }
}
