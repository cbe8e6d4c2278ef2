import Attestation
import Biometrics
import COSE
import Devices
import VirtualAuthenticator
import WebAuthn

/// A profile in words and in JSON.
struct ProfileDescription: Encodable {
    let name: String
    let title: String
    let summary: String
    let platform: String
    let aaguid: String
    let versions: [String]
    let algorithms: [String]
    let transports: [String]
    let attestation: [String]
    let extensions: [String]
    let commands: [String]
    let credentialIDLength: Int
    let signatureCounter: String
    let backupEligible: Bool
    let backedUp: Bool
    let clientPIN: String
    let userVerification: [String]
    let faults: [String]
    let unverified: [String]
    let sources: [String]

    init(_ profile: DeviceProfile) {
        let authenticator = profile.authenticator
        name = profile.name
        title = profile.title
        summary = profile.summary
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
            }
        backupEligible = authenticator.isBackupEligible
        backedUp = authenticator.isBackedUp
        clientPIN =
            authenticator.supportsClientPIN
            ? "at least \(authenticator.minPINLength) characters, \(authenticator.maxPINRetries) tries" : "none"
        userVerification = Self.words(profile)
        faults = profile.faultTexts
        unverified = profile.unverified
        sources = profile.sources
    }

    /// The commands a device has beyond those every one has.
    private static func commands(_ authenticator: AuthenticatorConfiguration) -> [String] {
        let management = authenticator.management
        var commands: [String] = []
        if management.supportsCredentialManagement { commands.append("credential management") }
        if management.supportsCredentialManagementPreview { commands.append("credential management, preview") }
        if management.supportsPersistentTokens { commands.append("persistent tokens for reading credentials") }
        if let bio = management.bioEnrollment { commands.append("bio enrolment, \(bio.samples) samples each") }
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
                    + (enrolled.isEmpty ? "nobody enrolled" : "enrolled: \(enrolled)"))
        }
        if let credential = profile.deviceCredential { words.append("device credential: \(credential.rawValue)") }
        guard let policy = profile.lockout else { return words.isEmpty ? ["none built in"] : words }
        for sensor in profile.sensors {
            words += sensor.lockoutPolicy?.words("the \(sensor.modality.rawValue) sensor") ?? []
        }
        words += policy.words
        return words
    }

    var lines: [String] {
        var lines = [Terminal.styled(title, .bold), "", summary, ""]
        func add(_ label: String, _ text: String) {
            lines.append("  " + label + String(repeating: " ", count: max(1, 20 - label.count)) + text)
        }
        add("profile", name)
        add("platform", platform)
        add("AAGUID", aaguid)
        add("versions", versions.joined(separator: ", "))
        add("algorithms", algorithms.joined(separator: ", "))
        add("transports", transports.joined(separator: ", "))
        for (index, text) in (attestation.isEmpty ? ["none"] : attestation).enumerated() {
            add(index == 0 ? "attestation" : "", text)
        }
        add("extensions", extensions.isEmpty ? "none" : extensions.joined(separator: ", "))
        for (index, text) in commands.enumerated() { add(index == 0 ? "beyond CTAP 2.0" : "", text) }
        add("credential IDs", "\(credentialIDLength) bytes, where credentials are kept on the device")
        add("signature counter", signatureCounter)
        add("backup", backupEligible ? (backedUp ? "eligible and backed up" : "eligible, not backed up") : "no")
        add("client PIN", clientPIN)
        for (index, text) in userVerification.enumerated() { add(index == 0 ? "user verification" : "", text) }
        for (index, text) in faults.enumerated() { add(index == 0 ? "faults" : "", text) }
        for (index, text) in unverified.enumerated() { add(index == 0 ? "unverified" : "", text) }
        for (index, text) in sources.enumerated() { add(index == 0 ? "sources" : "", text) }
        return lines
    }
}
