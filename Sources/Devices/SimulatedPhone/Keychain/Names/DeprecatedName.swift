/// The values of Apple's constants that are deprecated, about which Apple's compiler warns.
enum DeprecatedName {
    /// `kSecAttrAccessibleAlways`.
    static let accessibleAlways = "dk"
    /// `kSecAttrAccessibleAlwaysThisDeviceOnly`.
    static let accessibleAlwaysThisDeviceOnly = "dku"
    /// `kSecUseAuthenticationUIAllow`.
    static let authenticationUIAllow = "u_AuthUIA"
    /// `kSecUseAuthenticationUIFail`.
    static let authenticationUIFail = "u_AuthUIF"
    /// `kSecUseNoAuthenticationUI`.
    static let noAuthenticationUI = "u_NoAuthUI"
    /// `kSecUseOperationPrompt`.
    static let operationPrompt = "u_OpPrompt"
}
