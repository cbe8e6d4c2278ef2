internal import Biometrics
public import CTAP

extension VirtualAuthenticator {
    /// authenticatorGetInfo (CTAP 2.3 §6.4), computed from what this device is and how it is set up.
    public func info() -> AuthenticatorInfo {
        var info = AuthenticatorInfo(versions: configuration.versions, aaguid: configuration.aaguid)
        info.options = options()
        info.maxMsgSize = configuration.maxMsgSize
        if supportsClientPINCommand {
            info.pinUvAuthProtocols = configuration.pinUvAuthProtocols.map(\.rawValue)
        }
        info.maxCredentialCountInList = configuration.maxCredentialCountInList
        info.maxCredentialIdLength = configuration.maxCredentialIDLength
        info.transports = configuration.transports.isEmpty ? nil : configuration.transports
        info.algorithms = configuration.algorithms.map { PublicKeyCredentialParameters(algorithm: $0) }
        if configuration.supportsClientPIN {
            info.forcePINChange = state.pin.mustChange ? true : nil
            info.minPINLength = state.pin.minimumLength
        }
        info.firmwareVersion = configuration.firmwareVersion
        info.certifications = configuration.certifications
        if let gate = state.gate, gate.isSupported {
            info.preferredPlatformUvAttempts = configuration.preferredPlatformUVAttempts
            info.uvModality = Self.uvModality(of: gate)
        }
        if configuration.discoverability != .never {
            info.remainingDiscoverableCredentials = max(
                0, configuration.discoverableCapacity - state.credentials.discoverable.count)
        }
        // "none" is implied and never listed.
        let formats = configuration.attestationFormats.filter { $0 != .none }.map(\.rawValue)
        info.attestationFormats = formats.isEmpty ? nil : formats
        return info
    }

    private func options() -> [String: Bool] {
        var options: [String: Bool] = [
            "plat": configuration.isPlatform, "rk": configuration.discoverability != .never, "up": true,
        ]
        if configuration.supportsClientPIN {
            options["clientPin"] = state.pin.isSet
            if configuration.refusesPINForCredentials { options["noMcGaPermissionsWithClientPin"] = true }
        }
        if let gate = state.gate, gate.isSupported { options["uv"] = gate.isConfigured }
        if supportsClientPINCommand, configuration.supportsPinUvAuthToken { options["pinUvAuthToken"] = true }
        if let alwaysUV = state.alwaysUV { options["alwaysUv"] = alwaysUV }
        // alwaysUv takes makeCredUvNotRqd's promise back (CTAP 2.3 §7.2).
        if configuration.makeCredUvNotRequired { options["makeCredUvNotRqd"] = state.alwaysUV != true }
        return options
    }

    /// The bits of the FIDO registry of predefined values §3.1: how this device verifies its user.
    private static func uvModality(of gate: UserVerificationGate) -> Int {
        var bits = 0
        switch gate.sensor?.modality {
        case .fingerprint: bits |= 0x02
        case .face: bits |= 0x10
        case .iris: bits |= 0x40
        case .voice: bits |= 0x08
        case nil: break
        }
        if gate.policy.deviceCredentialFallback { bits |= 0x04 }
        return bits
    }
}
