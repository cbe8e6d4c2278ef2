/// The states of a PIN that prevent an operation.
extension Cause {
    /// No PIN is set.
    public static let pinNotSet = Cause("pinNotSet")
    /// A PIN is already set.
    public static let pinAlreadySet = Cause("pinAlreadySet")
    /// The PIN is wrong.
    public static let pinMismatch = Cause("pinMismatch")
    /// No PIN retries are left; only a reset helps.
    public static let pinBlocked = Cause("pinBlocked")
    /// Three wrong PINs in a row; the device must be power-cycled.
    public static let pinBlockedUntilPowerCycle = Cause("pinBlockedUntilPowerCycle")
    /// The PIN must be changed first.
    public static let pinMustChange = Cause("pinMustChange")
    /// The new PIN is too short or too long.
    public static let pinPolicyViolation = Cause("pinPolicyViolation")
    /// The new PIN is too simple.
    public static let pinTooSimple = Cause("pinTooSimple")
    /// The new PIN is the current one.
    public static let pinUnchanged = Cause("pinUnchanged")
    /// The new PIN is not padded to 64 bytes.
    public static let newPINPadding = Cause("newPINPadding")
    /// The new PIN cannot be decrypted.
    public static let newPINUndecipherable = Cause("newPINUndecipherable")
}

/// The reasons why a request is not authorized.
extension Cause {
    /// The operation requires user verification.
    public static let userVerificationRequired = Cause("userVerificationRequired")
    /// The device always requires user verification, and the request carries none.
    public static let alwaysUvWithoutVerification = Cause("alwaysUvWithoutVerification")
    /// The device does not allow always-require-UV to be switched off.
    public static let alwaysUvCannotBeDisabled = Cause("alwaysUvCannotBeDisabled")
    /// The request carries no pinUvAuthParam.
    public static let pinUvAuthParamMissing = Cause("pinUvAuthParamMissing")
    /// The pinUvAuthParam does not verify, or its token has ended.
    public static let pinUvAuthParamInvalid = Cause("pinUvAuthParamInvalid")
    /// The pinUvAuthParam is empty: the platform asks for a touch only.
    public static let zeroLengthPinUvAuthParam = Cause("zeroLengthPinUvAuthParam")
    /// The request names no PIN/UV auth protocol.
    public static let pinUvAuthProtocolMissing = Cause("pinUvAuthProtocolMissing")
    /// The device does not support the PIN/UV auth protocol.
    public static let pinUvAuthProtocolUnsupported = Cause("pinUvAuthProtocolUnsupported")
    /// The device does not support the PIN/UV auth protocol of the key agreement.
    public static let protocolUnsupported = Cause("protocolUnsupported")
    /// The platform's key agreement key is invalid.
    public static let keyAgreementInvalid = Cause("keyAgreementInvalid")
    /// The answer could not be encrypted.
    public static let encryptionFailed = Cause("encryptionFailed")
    /// The token lacks the permission.
    public static let permissionMissing = Cause("permissionMissing")
    /// The device does not support the requested permission.
    public static let permissionUnsupported = Cause("permissionUnsupported")
    /// The request asks for no permission.
    public static let permissionsZero = Cause("permissionsZero")
    /// A token of the old kind was requested with permissions or an RP ID.
    public static let permissionsNotAllowed = Cause("permissionsNotAllowed")
    /// The persistent permission cannot be combined with others.
    public static let persistentPermissionNotAlone = Cause("persistentPermissionNotAlone")
    /// The token is bound to another relying party.
    public static let tokenBoundToOtherRelyingParty = Cause("tokenBoundToOtherRelyingParty")
    /// The token does not stand for a verified user.
    public static let tokenUserNotVerified = Cause("tokenUserNotVerified")
}
