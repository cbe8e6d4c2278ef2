internal import Attestation
internal import COSE
internal import CTAP
internal import Documents
internal import VirtualAuthenticator
internal import WebAuthn

extension AuthenticatorConfiguration {
    /// The versions a profile may list.
    static let knownVersions = ["U2F_V2", "FIDO_2_0", "FIDO_2_1_PRE", "FIDO_2_1", "FIDO_2_3"]
    static let knownTransports = ["usb", "nfc", "ble", "smart-card", "hybrid", "internal"]

    init(reading value: YAMLValue) throws(SourceError) {
        self.init()
        let fields = try value.fields([
            "aaguid", "versions", "algorithms", "transports", "display", "discoverable", "capacity", "client-pin",
            "pin-uv-auth-token", "pin-protocols", "min-pin-length", "max-pin-retries", "no-pin-for-credentials",
            "make-credential-without-uv", "always-uv", "preferred-uv-attempts", "counter", "counter-start", "backup",
            "attestation",
            "limits", "firmware", "certifications", "reset-window", "user-action-timeout", "attachment", "extensions",
            "cred-blob-length", "large-blobs", "credential-id-length", "max-pin-length", "pin-complexity",
            "pin-complexity-url",
            "min-pin-length-rp-ids", "u2f", "reset-transports", "uv-count", "management", "unlisted",
            "nfc-presence", "nfc-presence-limit", "keep-all-credentials",
        ])
        try readModel(fields)
        try readCredentials(fields)
        management =
            try fields["management"].map { value throws(SourceError) in
                try ManagementConfiguration(reading: value)
            } ?? management
        try readExtensions(fields)
        try readVerification(fields)
        try readLimits(fields)
    }

    private mutating func readModel(_ fields: YAMLFields) throws(SourceError) {
        let identifier = try fields.required("aaguid")
        guard let aaguid = AAGUID(try identifier.string()) else {
            throw identifier.error("expected an AAGUID such as 01020304-0506-0708-0102-030405060708")
        }
        self.aaguid = aaguid
        isPlatform = try fields.required("attachment").choice(AuthenticatorAttachment.self) == .platform
        versions = try Self.names(fields["versions"], of: Self.knownVersions) ?? versions
        let reached = try fields.required("transports")
        transports = try Self.names(reached, of: Self.knownTransports) ?? []
        guard !transports.isEmpty else { throw reached.error("expected a transport by which clients reach it") }
        hasDisplay = try fields["display"]?.bool() ?? false
        firmwareVersion = try fields["firmware"]?.int()
        if let value = fields["certifications"] {
            var levels: [String: Int] = [:]
            for (key, level) in try value.entries() { levels[key] = try level.int() }
            certifications = levels
        }
    }

    private mutating func readCredentials(_ fields: YAMLFields) throws(SourceError) {
        if let value = fields["algorithms"] {
            algorithms = []
            for item in try value.items() {
                guard let algorithm = COSE.Algorithm(name: try item.string()),
                    COSE.Algorithm.supported.contains(algorithm)
                else {
                    let names = COSE.Algorithm.supported.compactMap(\.name).joined(separator: ", ")
                    throw item.error("expected one of \(names)")
                }
                algorithms.append(algorithm)
            }
            guard !algorithms.isEmpty else { throw value.error("expected an algorithm to make keys with") }
        }
        discoverability = try fields["discoverable"]?.choice(Discoverability.self) ?? .onRequest
        discoverableCapacity = try fields["capacity"]?.int(in: 0...100_000) ?? discoverableCapacity
        keepsAllCredentials = try fields["keep-all-credentials"]?.bool() ?? false
        counterMode = try fields["counter"]?.choice(CounterMode.self) ?? counterMode
        if let start = fields["counter-start"] {
            initialSignatureCounter = UInt32(clamping: try start.int())
            guard counterMode == .perCredential else {
                throw start.error("means something with counter: perCredential")
            }
        }
        if let backup = try fields["backup"]?.fields(["eligible", "state"]) {
            isBackupEligible = try backup.required("eligible").bool()
            isBackedUp = try backup.required("state").bool()
        }
        credentialIDLength = try fields["credential-id-length"]?.int(in: 16...1023) ?? credentialIDLength
        if let value = fields["attestation"] {
            attestation = []
            for item in try value.items() {
                attestation.append(try item.choice(AttestationKind.self))
            }
        }
    }

    private mutating func readExtensions(_ fields: YAMLFields) throws(SourceError) {
        for item in try fields["extensions"]?.items() ?? [] {
            extensions.append(try item.choice(AuthenticatorExtension.self))
        }
        maxCredBlobLength = try fields["cred-blob-length"]?.int(in: 32...1024) ?? maxCredBlobLength
        largeBlobCapacity = try fields["large-blobs"]?.int(in: 1024...65_536)
        supportsU2F = try fields["u2f"]?.bool() ?? false
    }

    private mutating func readVerification(_ fields: YAMLFields) throws(SourceError) {
        supportsClientPIN = try fields["client-pin"]?.bool() ?? false
        supportsPinUvAuthToken = try fields["pin-uv-auth-token"]?.bool() ?? true
        if let value = fields["pin-protocols"] {
            pinUvAuthProtocols = []
            for item in try value.items() {
                guard let pinProtocol = PINUVAuthProtocol(rawValue: try item.int()) else {
                    throw item.error("expected 1 or 2")
                }
                pinUvAuthProtocols.append(pinProtocol)
            }
        }
        minPINLength = try fields["min-pin-length"]?.int(in: 4...63) ?? minPINLength
        maxPINLength = try fields["max-pin-length"]?.int(in: 8...63) ?? maxPINLength
        pinComplexityPolicy = try fields["pin-complexity"]?.bool()
        pinComplexityPolicyURL = try fields["pin-complexity-url"]?.string()
        if let policy = try fields["min-pin-length-rp-ids"]?.fields(["ids", "most"]) {
            minPINLengthRelyingPartyIDs = try policy["ids"]?.strings() ?? []
            maxRPIDsForSetMinPINLength = try policy["most"]?.int(in: 0...100) ?? maxRPIDsForSetMinPINLength
        }
        countsUVSincePINEntry = try fields["uv-count"]?.bool() ?? false
        maxPINRetries = try fields["max-pin-retries"]?.int(in: 1...8) ?? maxPINRetries
        refusesPINForCredentials = try fields["no-pin-for-credentials"]?.bool() ?? false
        makeCredUvNotRequired = try fields["make-credential-without-uv"]?.bool() ?? false
        alwaysUV = try fields["always-uv"]?.bool()
        preferredPlatformUVAttempts = try fields["preferred-uv-attempts"]?.int(in: 1...25)
    }

    private mutating func readLimits(_ fields: YAMLFields) throws(SourceError) {
        if let limits = try fields["limits"]?.fields(["message", "list", "credential-id"]) {
            maxMsgSize = try limits["message"]?.int(in: 1024...7609) ?? maxMsgSize
            maxCredentialCountInList = try limits["list"]?.int(in: 1...1000) ?? maxCredentialCountInList
            maxCredentialIDLength = try limits["credential-id"]?.int(in: 128...1023) ?? maxCredentialIDLength
        }
        for item in try fields["unlisted"]?.items() ?? [] {
            unlistedMembers.insert(try item.choice(UnlistedMember.self))
        }
        if let length = fields["credential-id-length"], credentialIDLength > maxCredentialIDLength {
            throw length.error("is \(credentialIDLength), but limits.credential-id is \(maxCredentialIDLength)")
        }
        transportsForReset = try Self.names(fields["reset-transports"], of: Self.knownTransports)
        contactlessPresence = try fields["nfc-presence"]?.choice(ContactlessPresence.self) ?? contactlessPresence
        if let limit = fields["nfc-presence-limit"] {
            contactlessPresenceLimit = try limit.duration()
            guard contactlessPresenceLimit <= .seconds(120) else { throw limit.error("expected at most 120 s") }
        }
        resetWindow = try fields["reset-window"]?.duration() ?? resetWindow
        userActionTimeout = try fields["user-action-timeout"]?.duration() ?? userActionTimeout
    }

    private static func names(_ value: YAMLValue?, of known: [String]) throws(SourceError) -> [String]? {
        guard let value else { return nil }
        var names: [String] = []
        for item in try value.items() {
            let name = try item.string()
            guard known.contains(name) else {
                throw item.error("expected one of \(known.joined(separator: ", ")), found \"\(name)\"")
            }
            names.append(name)
        }
        return names
    }
}
