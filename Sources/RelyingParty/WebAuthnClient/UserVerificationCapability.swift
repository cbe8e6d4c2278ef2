internal import CTAP
internal import WebAuthn

/// The device's current ways to verify the user, from its getInfo (CTAP 2.3 §6.4, §6.5).
struct UserVerificationCapability: Hashable, Sendable {
    enum BuiltIn: Hashable, Sendable {
        /// None: no sensor, or no template is enrolled.
        case none
        /// `uv: true` in the request itself.
        case option
        /// A pinUvAuthToken by getPinUvAuthTokenUsingUvWithPermissions.
        case token
    }

    enum PIN: Hashable, Sendable {
        /// None: no PIN is set, or it cannot be used for this purpose.
        case none
        /// A token by CTAP 2.0's getPinToken.
        case token
        /// A token by getPinUvAuthTokenUsingPinWithPermissions.
        case tokenWithPermissions
    }

    let builtIn: BuiltIn
    let pin: PIN
    /// The device's preferred protocol among the supported ones.
    let pinProtocol: PINUVAuthProtocol?
    let builtInAttempts: Int
    let alwaysUV: Bool
    let makeCredentialWithoutUV: Bool
    let mustChangePIN: Bool

    /// The largest allowed number of retries (CTAP 2.3 §6.5.3).
    private static let maximumUVRetries = 25

    init(_ info: AuthenticatorInfo) {
        // A device without the list is older than it and has protocol 1.
        let pinProtocol = (info.pinUvAuthProtocols ?? [1]).lazy.compactMap(PINUVAuthProtocol.init(rawValue:)).first
        let hasTokens = info.option(.pinUvAuthToken) == true && pinProtocol != nil
        if info.option(.uv) == true {
            builtIn = hasTokens ? .token : .option
        } else {
            builtIn = .none
        }
        if info.option(.clientPin) == true, pinProtocol != nil {
            let barred = info.option(.noMcGaPermissionsWithClientPin) == true
            pin = hasTokens ? (barred ? .none : .tokenWithPermissions) : .token
        } else {
            pin = .none
        }
        self.pinProtocol = pinProtocol
        // A device without this number uses one retry per call and reports when it is blocked.
        builtInAttempts = min(max(1, info.preferredPlatformUvAttempts ?? Self.maximumUVRetries), Self.maximumUVRetries)
        alwaysUV = info.option(.alwaysUv) == true
        makeCredentialWithoutUV = info.option(.makeCredUvNotRqd) == true
        mustChangePIN = info.forcePINChange == true
    }

    var isConfigured: Bool { builtIn != .none || pin != .none }

    /// A protected device demands verification for a new credential even if the relying party discourages it, unless it
    /// has `makeCredUvNotRqd` and the credential is not discoverable (CTAP 2.3 §6.1.2); CTAP 2.0 devices with only a
    /// sensor make no such demand.
    func isWanted(_ requirement: UserVerificationRequirement, _ ceremony: Ceremony, residentKey: Bool) -> Bool {
        let asked =
            switch requirement {
            case .required: true
            case .preferred: isConfigured
            case .discouraged: false
            }
        let isProtected = builtIn == .token || pin != .none
        let demanded = ceremony == .create && isProtected && (residentKey || !makeCredentialWithoutUV)
        return asked || alwaysUV || demanded
    }
}
