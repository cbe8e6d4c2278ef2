internal import Attestation
internal import Biometrics
public import CTAP
internal import Foundation

extension VirtualAuthenticator {
    /// authenticatorGetInfo (CTAP 2.3 §6.4), computed from the configuration and the state.
    public func info() -> AuthenticatorInfo {
        var info = AuthenticatorInfo(versions: versions, aaguid: configuration.aaguid)
        let extensions = configuration.extensions.map(\.rawValue)
        info.extensions = extensions.isEmpty ? nil : extensions
        info.options = Dictionary(uniqueKeysWithValues: options.map { ($0.key.rawValue, $0.value) })
        info.maxMsgSize = configuration.maxMsgSize
        if supportsClientPINCommand {
            info.pinUvAuthProtocols = configuration.pinUvAuthProtocols.map(\.rawValue)
        }
        info.maxCredentialCountInList = configuration.maxCredentialCountInList
        info.maxCredentialIdLength = configuration.maxCredentialIDLength
        info.transports = configuration.transports.isEmpty ? nil : configuration.transports
        info.algorithms = configuration.possibleAlgorithms.map { PublicKeyCredentialParameters(algorithm: $0) }
        if configuration.supportsClientPIN { describePIN(&info) }
        if !configSubcommands.isEmpty { describeConfig(&info) }
        if state.settings.needsLongTouchForReset { info.longTouchForReset = true }
        info.transportsForReset = configuration.transportsForReset
        info.maxSerializedLargeBlobArray = configuration.largeBlobCapacity
        if configuration.extensions.contains(.credBlob) { info.maxCredBlobLength = configuration.maxCredBlobLength }
        if configuration.management.supportsPersistentTokens {
            info.encIdentifier = hidden(state.settings.identifier, .encIdentifier)
            info.encCredStoreState = hidden(state.settings.credentialStoreState, .encCredStoreState)
        }
        info.firmwareVersion = configuration.firmwareVersion
        info.certifications = configuration.certifications
        if let gate = state.gate, gate.isSupported { describe(gate, &info) }
        if configuration.discoverability != .never {
            info.remainingDiscoverableCredentials = remainingDiscoverableCredentials
        }
        info.attestationFormats = attestationFormats
        for member in configuration.unlistedMembers { leaveOut(member, &info) }
        return info
    }

    private func describePIN(_ info: inout AuthenticatorInfo) {
        info.forcePINChange = state.pin.mustChange ? true : nil
        info.minPINLength = state.pin.minimumLength
        info.maxPINLength = configuration.maxPINLength == 63 ? nil : configuration.maxPINLength
        guard configuration.pinComplexityPolicy != nil else { return }
        info.pinComplexityPolicy = state.pin.isComplexityEnforced
        info.pinComplexityPolicyURL = configuration.pinComplexityPolicyURL.map { Array($0.utf8) }
    }

    private func describeConfig(_ info: inout AuthenticatorInfo) {
        let subcommands = configSubcommands
        info.authenticatorConfigCommands = subcommands.map(\.rawValue)
        if subcommands.contains(.setMinPINLength), configuration.extensions.contains(.minPinLength) {
            info.maxRPIDsForSetMinPINLength = configuration.maxRPIDsForSetMinPINLength
        }
        if subcommands.contains(.vendorPrototype) {
            info.vendorPrototypeConfigCommands = configuration.management.vendorPrototypeCommands
        }
        if subcommands.contains(.enableLongTouchForReset) { info.longTouchForReset = false }
    }

    private func describe(_ gate: UserVerificationGate, _ info: inout AuthenticatorInfo) {
        info.preferredPlatformUvAttempts = configuration.preferredPlatformUVAttempts
        info.uvModality = Self.uvModality(of: gate)
        if configuration.countsUVSincePINEntry {
            info.uvCountSinceLastPinEntry = state.settings.uvCountSinceLastPINEntry
        }
    }

    private func leaveOut(_ member: AuthenticatorConfiguration.UnlistedMember, _ info: inout AuthenticatorInfo) {
        switch member {
        case .maxCredentialCountInList: info.maxCredentialCountInList = nil
        case .maxCredentialIdLength: info.maxCredentialIdLength = nil
        case .transports: info.transports = nil
        case .algorithms: info.algorithms = nil
        // Absence means 4 (CTAP 2.3 §6.4), and the minimum may have grown.
        case .minPINLength: if info.minPINLength == 4 { info.minPINLength = nil }
        case .uvModality: info.uvModality = nil
        case .remainingDiscoverableCredentials: info.remainingDiscoverableCredentials = nil
        case .attestationFormats: info.attestationFormats = nil
        case .authenticatorConfigCommands: info.authenticatorConfigCommands = nil
        }
    }

    /// The formats, each once; "none" is implied and never listed.
    private var attestationFormats: [String]? {
        var formats: [String] = []
        for kind in configuration.attestation where kind != .none && !formats.contains(kind.format) {
            formats.append(kind.format)
        }
        return formats.isEmpty ? nil : formats
    }

    /// The number of further discoverable credentials that fit in the worst case.
    var remainingDiscoverableCredentials: Int { max(0, configuration.discoverableCapacity - state.credentials.count) }

    private var options: [InfoOption: Bool] {
        let management = configuration.management
        let config = configSubcommands
        let bio = bioEnrollmentConfiguration
        let isEnrolled = !(state.gate?.sensor(for: .fingerprint)?.templates.isEmpty ?? true)
        let gate = state.gate.flatMap { $0.isSupported ? $0 : nil }
        func present(_ isPresent: Bool, _ value: Bool = true) -> Bool? { isPresent ? value : nil }
        // An absent option is nil.
        let options: [InfoOption: Bool?] = [
            .plat: configuration.isPlatform, .rk: configuration.discoverability != .never, .up: true,
            .clientPin: present(configuration.supportsClientPIN, state.pin.isSet),
            .noMcGaPermissionsWithClientPin: present(
                configuration.supportsClientPIN && configuration.refusesPINForCredentials),
            .uv: gate?.isConfigured,
            .pinUvAuthToken: present(supportsClientPINCommand && configuration.supportsPinUvAuthToken),
            .alwaysUv: state.alwaysUV,
            // alwaysUv makes makeCredUvNotRqd false (CTAP 2.3 §7.2).
            .makeCredUvNotRqd: present(configuration.makeCredUvNotRequired, state.alwaysUV != true),
            .credMgmt: present(management.supportsCredentialManagement),
            .credentialMgmtPreview: present(management.supportsCredentialManagementPreview),
            .perCredMgmtRO: present(management.supportsPersistentTokens),
            .largeBlobs: present(configuration.largeBlobCapacity != nil),
            .ep: present(management.enterpriseAttestation != nil, state.settings.isEnterpriseAttestationEnabled),
            .bioEnroll: present(bio?.answersOnlyPreview == false, isEnrolled),
            .userVerificationMgmtPreview: present(
                bio.map { $0.answersPreview || $0.answersOnlyPreview } ?? false, isEnrolled),
            .uvBioEnroll: present(bio?.allowsEnrollingByUV == true),
            .authnrCfg: present(!config.isEmpty),
            .uvAcfg: present(!config.isEmpty && management.allowsConfigByUV),
            .setMinPINLength: present(config.contains(.setMinPINLength)),
        ]
        return options.compactMapValues { $0 }
    }

    /// The bits of the FIDO registry of predefined values §3.1: how this device verifies its user.
    private static func uvModality(of gate: UserVerificationGate) -> Int {
        var bits = 0
        for sensor in gate.sensors where sensor.strengthClass != .class1 {
            bits |= userVerificationBit(of: sensor.modality)
        }
        if gate.policy.deviceCredentialFallback { bits |= 0x04 }
        return bits
    }
}

extension VirtualAuthenticator {
    /// U2F_V2 disappears while user verification is always demanded, which U2F cannot give (CTAP 2.3 §7.2).
    private var versions: [String] { configuration.versions.filter { $0 != "U2F_V2" || isU2FAvailable } }

    var isU2FAvailable: Bool { configuration.supportsU2F && state.alwaysUV != true }

    /// A value that only holders of the persistent token can read.
    private func hidden(_ value: [UInt8], _ member: InfoMember) -> [UInt8]? {
        let token = state.settings.persistentToken
        let key =
            hiddenInfoKeys[member].flatMap { $0.token == token ? $0 : nil }
            ?? HiddenInfoKey(token: token, member: member)
        // Derived once: clients ask for getInfo before every ceremony.
        hiddenInfoKeys[member] = key
        return key.encrypt(value, initializationVector: environment.random.bytes(16))
    }

    /// Marks the credentials as changed (CTAP 2.3 §6.4, encCredStoreState).
    func renewCredentialStoreState() {
        guard configuration.management.supportsPersistentTokens else { return }
        state.settings.credentialStoreState = environment.random.bytes(16)
    }
}
