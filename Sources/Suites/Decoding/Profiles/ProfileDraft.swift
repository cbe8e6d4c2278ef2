internal import Attestation
package import CBOR
internal import COSE
package import CTAP
package import DeviceProfiles
internal import Documents
internal import KnownKeys
internal import ProfileFiles
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn

/// A profile whose device answers getInfo as a given answer does, as far as profiles can say.
package struct ProfileDraft: Encodable, Sendable {
    /// A row of getInfo in which the profile's device answers differently.
    package struct Difference: Encodable, Sendable {
        package let name: String
        package let value: String
        package let profile: String
    }

    /// The profile's file.
    package let text: String
    package let differences: [Difference]
    /// The rows that differ by the state of the device that answered, such as a PIN that is set.
    package let states: [Difference]

    /// Writes a profile and compares its device's answer.
    ///
    /// - Parameters:
    ///   - answer: the map of the answer, without the status byte.
    ///   - usb: the identity on the USB bus; nil for an answer without a device.
    ///   - source: the origin of the answer, for `sources`.
    ///   - uncertain: the members that the key may have although the answer does not tell; they are not compared.
    /// - Throws: `CBOR.AccessError` for an answer that cannot be read.
    package init(
        _ answer: CBOR.Value, name: String, usb: USBIdentity? = nil, source: String, uncertain: Set<InfoMember> = []
    ) async throws {
        let info = try AuthenticatorInfo(cbor: answer)
        var settings = ProfileSettings(info, uncertain)
        var text = settings.text(name: name, usb: usb, source: source)
        if (try? DeviceProfile(parsing: text, file: name)) == nil {
            // A version whose mandatory features are missing is refused.
            settings.versions = ProfileSettings.answering(
                settings.versions.filter { !["FIDO_2_1", "FIDO_2_3"].contains($0) })
            text = settings.text(name: name, usb: usb, source: source)
        }
        let profile = try DeviceProfile(parsing: text, file: name)
        let device = try SimulatedDevice(
            profile: profile, time: SimulatedClock(), random: SeededRandomSource(seed: 1), user: ConsentingUser())
        let own = await device.authenticator.info().cbor
        self.text = text
        let rows = InfoTable([answer, own], leavingOut: uncertain).rows
        func differing(_ verdict: InfoTable.Verdict) -> [Difference] {
            rows.filter { $0.verdict == verdict }.map {
                Difference(name: $0.name, value: $0.values[0], profile: $0.values[1])
            }
        }
        (differences, states) = (differing(.different), differing(.state))
    }
}

/// The keys of a profile for an answer.
private struct ProfileSettings {
    let info: AuthenticatorInfo
    let uncertain: Set<InfoMember>
    var versions: [String]

    init(_ info: AuthenticatorInfo, _ uncertain: Set<InfoMember>) {
        self.info = info
        self.uncertain = uncertain
        let known = ["U2F_V2", "FIDO_2_0", "FIDO_2_1_PRE", "FIDO_2_1", "FIDO_2_3"]
        versions = Self.answering(info.versions.filter(known.contains))
    }

    /// Versions of a device that answers getInfo, a command of CTAP2; a device with U2F_V2 alone does not.
    static func answering(_ versions: [String]) -> [String] {
        versions.contains { $0 != "U2F_V2" } ? versions : versions + ["FIDO_2_0"]
    }

    func text(name: String, usb: USBIdentity?, source: String) -> String {
        var lines = [
            "name: \(name)", "title: \(name), from its answer to getInfo",
            "summary: Made from an answer to getInfo; a value that getInfo does not have is a guess.",
            "platform: security-key",
        ]
        if let usb {
            let ids = [usb.vendorID, usb.productID].map { "0x" + String($0, radix: 16, uppercase: true) }
            lines.append("usb: { vendor: \(ids[0]), product: \(ids[1]), name: \(quoted(usb.name)) }")
        }
        lines += ["", "authenticator:"] + (model + pin + features).map { "  " + $0 } + management
        lines += limits.map { "  " + $0 }
        if hasSensor {
            let modality = (info.uvModality ?? 2) & 0x10 != 0 ? "face" : "fingerprint"
            lines += [
                "", "sensor:", "  modality: \(modality)", "  class: 3", "  max-templates: 5", "", "lockout:",
                "  attempts-per-prompt: 1", "  permanent-at: \(info.preferredPlatformUvAttempts ?? 3)",
                "  timeout-counts: true", "  prompt-timeout: 30 s", "  invalidation: never",
            ]
        }
        lines += ["", "unverified:"] + guesses.map { "  - \($0)" } + ["", "sources:", "  - \(quoted(source))"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Text in quotation marks, as YAML and JSON write it.
    private func quoted(_ text: String) -> String {
        (try? JSONValue.text(text).bytes()).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }

    private func has(_ option: InfoOption) -> Bool { info.option(option) != nil }

    private func isOn(_ option: InfoOption) -> Bool { info.option(option) == true }

    private var hasSensor: Bool { has(.uv) || hasEnrolment }

    private var hasEnrolment: Bool { has(.bioEnroll) || has(.userVerificationMgmtPreview) }

    private func list(_ items: [String]) -> String { "[\(items.joined(separator: ", "))]" }

    private var guesses: [String] {
        ["authenticator.counter", "authenticator.reset-window", "authenticator.user-action-timeout"]
            // alwaysUv hides U2F (CTAP 2.3 §7.2).
            + (isOn(.alwaysUv) ? ["authenticator.u2f"] : []) + (hasSensor ? ["sensor", "lockout"] : [])
    }

    private var model: [String] {
        let transports = info.transports?.filter(AuthenticatorTransport.all.contains).map(\.rawValue) ?? ["usb"]
        var lines = [
            "aaguid: \(info.aaguid)", "attachment: \(isOn(.plat) ? "platform" : "cross-platform")",
            "versions: \(list(versions))", "u2f: \(versions.contains("U2F_V2"))", "transports: \(list(transports))",
        ]
        if let firmware = info.firmwareVersion {
            lines.append("firmware: 0x" + String(firmware, radix: 16, uppercase: true))
        }
        if let levels = info.certifications, !levels.isEmpty {
            let words = levels.sorted { $0.key < $1.key }.map { "\(quoted($0.key)): \($0.value)" }
            lines.append("certifications: { \(words.joined(separator: ", ")) }")
        }
        if let transports = info.transportsForReset {
            lines.append("reset-transports: \(list(transports.map(\.rawValue)))")
        }
        return lines
    }

    private var pin: [String] {
        var lines = ["client-pin: \(has(.clientPin))", "pin-uv-auth-token: \(isOn(.pinUvAuthToken))"]
        if let protocols = info.pinUvAuthProtocols?.filter([1, 2].contains), !protocols.isEmpty {
            lines.append("pin-protocols: \(list(protocols.map(String.init)))")
        }
        if let length = info.minPINLength, (4...63).contains(length) { lines.append("min-pin-length: \(length)") }
        if let length = info.maxPINLength, (8...63).contains(length) { lines.append("max-pin-length: \(length)") }
        if let policy = info.pinComplexityPolicy { lines.append("pin-complexity: \(policy)") }
        if let url = info.pinComplexityPolicyURL.flatMap({ String(validating: $0, as: UTF8.self) }) {
            lines.append("pin-complexity-url: \(quoted(url))")
        }
        if let most = info.maxRPIDsForSetMinPINLength, (0...100).contains(most) {
            lines.append("min-pin-length-rp-ids: { ids: [], most: \(most) }")
        }
        if isOn(.noMcGaPermissionsWithClientPin) { lines.append("no-pin-for-credentials: true") }
        // alwaysUv hides makeCredUvNotRqd (CTAP 2.3 §7.2).
        if isOn(.makeCredUvNotRqd) || (has(.makeCredUvNotRqd) && isOn(.alwaysUv)) {
            lines.append("make-credential-without-uv: true")
        }
        if let value = info.option(.alwaysUv) { lines.append("always-uv: \(value)") }
        if let attempts = info.preferredPlatformUvAttempts, (1...25).contains(attempts) {
            lines.append("preferred-uv-attempts: \(attempts)")
        }
        if info.uvCountSinceLastPinEntry != nil { lines.append("uv-count: true") }
        return lines
    }

    private var features: [String] {
        let names = (info.algorithms ?? []).map(\.algorithm).filter(COSE.Algorithm.supported.contains).compactMap(
            \.name)
        let formats = (info.attestationFormats ?? []).compactMap { format in
            AttestationKind.allCases.first { $0.format == format && $0 != .packed }?.rawValue
        }
        let extensions = (info.extensions ?? []).filter { AuthenticatorExtension(rawValue: $0) != nil }
        var lines = [
            "algorithms: \(list(names.isEmpty ? ["ES256"] : names))",
            "discoverable: \(isOn(.rk) ? "onRequest" : "never")",
            "capacity: \(min(info.remainingDiscoverableCredentials ?? 25, 100_000))", "counter: global",
            "attestation: \(list(formats.isEmpty ? ["packed-basic"] : formats))", "extensions: \(list(extensions))",
        ]
        if let length = info.maxCredBlobLength, (32...1024).contains(length) {
            lines.append("cred-blob-length: \(length)")
        }
        if let length = info.maxSerializedLargeBlobArray, (1024...65_536).contains(length) {
            lines.append("large-blobs: \(length)")
        }
        return lines + ["reset-window: 10 s", "user-action-timeout: 30 s"]
    }

    private var management: [String] {
        var lines: [String] = []
        switch (isOn(.credMgmt), isOn(.credentialMgmtPreview)) {
        case (true, true): lines.append("credentials: both")
        case (true, false): lines.append("credentials: yes")
        case (false, true): lines.append("credentials: preview")
        case (false, false): break
        }
        if isOn(.perCredMgmtRO) { lines.append("persistent-tokens: true") }
        if hasEnrolment {
            let preview = !has(.userVerificationMgmtPreview) ? "false" : has(.bioEnroll) ? "true" : "only"
            lines.append("bio-enrollment: { preview: \(preview), by-uv: \(isOn(.uvBioEnroll)) }")
        }
        if !commands.isEmpty { lines.append("config: \(list(commands))") }
        if let ids = info.vendorPrototypeConfigCommands, !ids.isEmpty {
            lines.append("vendor-prototypes: \(list(ids.map(String.init)))")
        }
        if isOn(.uvAcfg) { lines.append("config-by-uv: true") }
        if let value = info.option(.ep) { lines.append("enterprise-attestation: { enabled: \(value), rp-ids: [] }") }
        return lines.isEmpty ? [] : ["  management:"] + lines.map { "    " + $0 }
    }

    /// The subcommands of authenticatorConfig: those listed, or those that the options need.
    private var commands: [String] {
        if let listed = info.authenticatorConfigCommands {
            return listed.compactMap { AuthenticatorConfigSubcommand(rawValue: $0).map { "\($0)" } }
        }
        guard isOn(.authnrCfg) else { return [] }
        var commands: [AuthenticatorConfigSubcommand] = []
        if has(.ep) { commands.append(.enableEnterpriseAttestation) }
        if has(.alwaysUv) { commands.append(.toggleAlwaysUv) }
        if isOn(.setMinPINLength) { commands.append(.setMinPINLength) }
        if info.longTouchForReset != nil { commands.append(.enableLongTouchForReset) }
        if info.vendorPrototypeConfigCommands != nil { commands.append(.vendorPrototype) }
        return commands.map { "\($0)" }
    }

    private var limits: [String] {
        var limits: [String] = []
        let message = info.maxMsgSize ?? 1024
        if (1024...7609).contains(message) { limits.append("message: \(message)") }
        if let count = info.maxCredentialCountInList, (1...1000).contains(count) { limits.append("list: \(count)") }
        if let length = info.maxCredentialIdLength, (128...1023).contains(length) {
            limits.append("credential-id: \(length)")
        }
        let unlisted = AuthenticatorConfiguration.UnlistedMember.allCases.filter { member in
            isUnlisted(member) && !uncertain.contains { $0.name == member.rawValue }
        }.map(\.rawValue)
        return ["limits: { \(limits.joined(separator: ", ")) }"]
            + (unlisted.isEmpty ? [] : ["unlisted: \(list(unlisted))"])
    }

    private func isUnlisted(_ member: AuthenticatorConfiguration.UnlistedMember) -> Bool {
        switch member {
        case .maxCredentialCountInList: info.maxCredentialCountInList == nil
        case .maxCredentialIdLength: info.maxCredentialIdLength == nil
        case .transports: info.transports == nil
        case .algorithms: info.algorithms == nil
        case .minPINLength: info.minPINLength == nil
        case .uvModality: hasSensor && info.uvModality == nil
        case .remainingDiscoverableCredentials: info.remainingDiscoverableCredentials == nil
        case .attestationFormats: info.attestationFormats == nil
        case .authenticatorConfigCommands: info.authenticatorConfigCommands == nil
        }
    }
}
