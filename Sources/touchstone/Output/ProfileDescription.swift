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

    private static func words(_ profile: DeviceProfile) -> [String] {
        var words: [String] = []
        if let sensor = profile.sensor {
            let enrolled = sensor.templates.map(\.name).joined(separator: ", ")
            words.append(
                "\(sensor.modality.rawValue) sensor of class \(sensor.strengthClass.rawValue), "
                    + (enrolled.isEmpty ? "nobody enrolled" : "enrolled: \(enrolled)"))
        }
        if let credential = profile.deviceCredential { words.append("device credential: \(credential.rawValue)") }
        guard let policy = profile.lockout else { return words.isEmpty ? ["none built in"] : words }
        words.append(
            policy.attemptsPerPrompt.map { "a prompt ends after \($0) failed attempts" }
                ?? "a prompt stays open until the sensor locks")
        if let every = policy.timedLockoutEvery {
            words.append("every \(every) failures in a row close the sensor for \(policy.timedLockoutDuration)")
        }
        words.append("\(policy.permanentLockoutAt) failures in a row close it until the credential is entered")
        if policy.deviceCredentialFallback { words.append("the device credential counts as user verification") }
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
        add("attestation", attestation.isEmpty ? "none" : attestation.joined(separator: "; "))
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
