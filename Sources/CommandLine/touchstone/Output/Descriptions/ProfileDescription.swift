import Attestation
import Biometrics
import COSE
import DeviceProfiles
import Faults
import PlatformErrors
import Tables
import VirtualAuthenticator
import WebAuthn
import Wording

/// A profile in words and in JSON.
struct ProfileDescription: Encodable {
    let name: String
    let title: String
    let summary: String
    let kind: String
    /// The profiles it extends, nearest first.
    let extends: [String]
    let platform: String
    let aaguid: String
    let versions: [String]
    let algorithms: [String]
    let transports: [AuthenticatorTransport]
    let attestation: [String]
    let extensions: [String]
    let commands: [String]
    let credentialIDLength: Int
    let signatureCounter: String
    let backupEligible: Bool
    let backedUp: Bool
    let clientPIN: String
    let userVerification: [String]
    /// The outcome of failed attempts, failure by failure.
    let failures: [String]
    /// The properties of its credentials that a relying party sees.
    let relyingParty: [String]
    /// The errors an app gets where public sources disagree.
    let faces: [String: String]
    /// The rules of its passkey provider for documents of passkeys.
    let passkeyExchange: [String]
    let faults: [String]
    let unverified: [String]
    let sources: [String]

    init(_ profile: DeviceProfile) {
        let authenticator = profile.authenticator
        name = profile.name
        title = profile.title
        summary = profile.summary
        kind = profile.kind.rawValue
        extends = profile.bases
        platform = profile.platform.displayName
        aaguid = authenticator.aaguid.description
        versions = authenticator.versions
        algorithms = authenticator.algorithms.map(\.description)
        transports = authenticator.transports
        attestation = authenticator.attestation.map {
            $0 == .none ? "none" : "\($0.rawValue): \($0.summary)"
        }
        extensions = authenticator.extensions.map(\.rawValue)
        commands = Self.commands(authenticator)
        credentialIDLength = authenticator.credentialIDLength
        signatureCounter =
            switch authenticator.counterMode {
            case .none: "none: always zero"
            case .perCredential: "one for each credential"
            case .global: "one for the whole device"
            case .timestamp: "the time, in seconds since 1970"
            }
        backupEligible = authenticator.isBackupEligible
        backedUp = authenticator.isBackedUp
        clientPIN =
            authenticator.supportsClientPIN
            ? "at least \(Wording.counted(authenticator.minPINLength, "character")), "
                + Wording.counted(authenticator.maxPINRetries, "retry", "retries") : "none"
        userVerification = Self.words(profile)
        failures = profile.failures
        relyingParty = Self.relyingPartyView(authenticator)
        faces = Dictionary(
            uniqueKeysWithValues: PlatformErrorTable.shared.settings.compactMap { setting in
                profile.platformErrors.settings.contains(setting.name)
                    ? profile.platformErrors.chosen(setting.name).map { (setting.name, $0) } : nil
            })
        passkeyExchange = profile.exchange?.words ?? []
        faults = profile.faults.map(\.spelling)
        unverified = profile.unverified
        sources = profile.sources
    }

    private static func relyingPartyView(_ authenticator: AuthenticatorConfiguration) -> [String] {
        let counts =
            switch authenticator.counterMode {
            case .none: "a signature counter that is always 0"
            case .perCredential:
                "a signature counter that starts at \(authenticator.initialSignatureCounter) and increases by 1 with each use"
            case .global: "a signature counter that increases with each use of any credential of the device"
            case .timestamp: "a signature counter that is the time, in seconds since 1970"
            }
        let backup =
            authenticator.isBackupEligible
            ? authenticator.isBackedUp ? "BE and BS set: synced" : "BE set, BS not: could be synced and is not"
            : "BE and BS not set: bound to the device"
        let statements = authenticator.attestation.map(\.format)
        return [
            "AAGUID \(authenticator.aaguid), transports \(authenticator.transports.map(\.rawValue).joined(separator: ", "))",
            "attestation statements: \(statements.isEmpty ? "none" : statements.joined(separator: ", "))",
            backup, counts,
        ]
    }

    /// The commands beyond those of CTAP 2.0.
    private static func commands(_ authenticator: AuthenticatorConfiguration) -> [String] {
        let management = authenticator.management
        var commands: [String] = []
        if management.supportsCredentialManagement { commands.append("credential management") }
        if management.supportsCredentialManagementPreview { commands.append("credential management, preview") }
        if management.answersUnlistedPreview { commands.append("credential management, preview that is not listed") }
        if management.supportsPersistentTokens { commands.append("persistent tokens for reading credentials") }
        if let bio = management.bioEnrollment {
            commands.append("bio enrolment, \(Wording.counted(bio.samples, "sample")) each")
        }
        if let capacity = authenticator.largeBlobCapacity { commands.append("large blobs, \(capacity) bytes") }
        if !management.configSubcommands.isEmpty {
            commands.append("config: " + management.configSubcommands.map { "\($0)" }.joined(separator: ", "))
        }
        if management.enterpriseAttestation != nil { commands.append("enterprise attestation") }
        if authenticator.supportsU2F { commands.append("CTAP1/U2F") }
        return commands
    }

    private static func words(_ profile: DeviceProfile) -> [String] {
        var words: [String] = []
        for sensor in profile.sensors {
            let enrolled = sensor.templates.map(\.name).joined(separator: ", ")
            words.append(
                "\(sensor.modality.rawValue) sensor of class \(sensor.strengthClass.rawValue), "
                    + (enrolled.isEmpty ? "no template enrolled" : "enrolled: \(enrolled)"))
        }
        if let credential = profile.deviceCredential { words.append("device credential: \(credential.word)") }
        guard let policy = profile.lockout else { return words.isEmpty ? ["none built in"] : words }
        guard profile.sensor != nil else {
            if policy.deviceCredentialFallback { words.append("the device credential is user verification") }
            return words + policy.words
        }
        for sensor in profile.sensors {
            words += sensor.lockoutPolicy?.words("the \(sensor.modality.rawValue) sensor") ?? []
        }
        words += policy.words
        if profile.offersTheftProtection {
            words.append("a protection of stolen devices, off at first: away from home it accepts the sensor alone")
        }
        return words
    }

    var lines: [String] {
        var table = TextTable()
        func add(_ label: String, _ texts: [String]) {
            for (index, text) in texts.enumerated() { table.add("  " + (index == 0 ? label : ""), text) }
        }
        add("profile", [name + (extends.isEmpty ? "" : ", extends " + extends.joined(separator: ", "))])
        add("kind", [kind])
        add("platform", [platform])
        add("relying party sees", relyingParty)
        add("versions", [versions.joined(separator: ", ")])
        add("algorithms", [algorithms.joined(separator: ", ")])
        add("attestation", attestation.isEmpty ? ["none"] : attestation)
        add("extensions", [extensions.isEmpty ? "none" : extensions.joined(separator: ", ")])
        add("beyond CTAP 2.0", commands)
        add("credential IDs", ["\(credentialIDLength) bytes, where credentials are kept on the device"])
        add("client PIN", [clientPIN])
        add("user verification", userVerification)
        add("not recognised", failures)
        add("app errors", faces.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })
        add("passkey exchange", passkeyExchange)
        add("faults", faults)
        add("unverified", unverified)
        add("sources", sources)
        return [Terminal.styled(title, .bold), ""] + Paragraph.lines(summary, width: Terminal.width) + [""]
            + table.lines
    }
}
