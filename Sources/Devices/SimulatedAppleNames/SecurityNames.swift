// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if canImport(Security)
public import Foundation
public import Security

// Apple's constants, by the names that the import of this module replaces. The deprecated ones, about which Apple's compiler warns,
// have their values.
/// The class of an item.
public var kSecClass: CFString { Security.kSecClass }
/// A password of a service, such as an app's token.
public var kSecClassGenericPassword: CFString { Security.kSecClassGenericPassword }
/// A password of a server on the Internet.
public var kSecClassInternetPassword: CFString { Security.kSecClassInternetPassword }
/// A cryptographic key.
public var kSecClassKey: CFString { Security.kSecClassKey }
/// A certificate, which the simulation does not have.
public var kSecClassCertificate: CFString { Security.kSecClassCertificate }
/// A certificate with its private key, which the simulation does not have.
public var kSecClassIdentity: CFString { Security.kSecClassIdentity }
/// The account of a password.
public var kSecAttrAccount: CFString { Security.kSecAttrAccount }
/// The service of a generic password.
public var kSecAttrService: CFString { Security.kSecAttrService }
/// The app's own data with a generic password.
public var kSecAttrGeneric: CFString { Security.kSecAttrGeneric }
/// The server of an internet password.
public var kSecAttrServer: CFString { Security.kSecAttrServer }
/// The security domain of an internet password.
public var kSecAttrSecurityDomain: CFString { Security.kSecAttrSecurityDomain }
/// The protocol of an internet password.
public var kSecAttrProtocol: CFString { Security.kSecAttrProtocol }
/// The authentication type of an internet password.
public var kSecAttrAuthenticationType: CFString { Security.kSecAttrAuthenticationType }
/// The port of an internet password.
public var kSecAttrPort: CFString { Security.kSecAttrPort }
/// The path of an internet password.
public var kSecAttrPath: CFString { Security.kSecAttrPath }
/// The group of apps that share an item.
public var kSecAttrAccessGroup: CFString { Security.kSecAttrAccessGroup }
/// The label of an item, as the user sees it.
public var kSecAttrLabel: CFString { Security.kSecAttrLabel }
/// The description of an item, as the user sees it.
public var kSecAttrDescription: CFString { Security.kSecAttrDescription }
/// A comment of the user.
public var kSecAttrComment: CFString { Security.kSecAttrComment }
/// The creator of an item, as a number.
public var kSecAttrCreator: CFString { Security.kSecAttrCreator }
/// The type of a password, as a number.
public var kSecAttrType: CFString { Security.kSecAttrType }
/// Whether an item is hidden.
public var kSecAttrIsInvisible: CFString { Security.kSecAttrIsInvisible }
/// Whether a password is a placeholder.
public var kSecAttrIsNegative: CFString { Security.kSecAttrIsNegative }
/// Whether an item also reaches the user's other devices.
public var kSecAttrSynchronizable: CFString { Security.kSecAttrSynchronizable }
/// In a search: items that reach other devices, and items that do not.
public var kSecAttrSynchronizableAny: CFString { Security.kSecAttrSynchronizableAny }
/// The time at which an item was added.
public var kSecAttrCreationDate: CFString { Security.kSecAttrCreationDate }
/// The time at which an item was last changed.
public var kSecAttrModificationDate: CFString { Security.kSecAttrModificationDate }
/// The app's own name for a key.
public var kSecAttrApplicationTag: CFString { Security.kSecAttrApplicationTag }
/// The label by which the system finds a key: the SHA-1 hash of the public key.
public var kSecAttrApplicationLabel: CFString { Security.kSecAttrApplicationLabel }
/// The class of a key.
public var kSecAttrKeyClass: CFString { Security.kSecAttrKeyClass }
/// A public key.
public var kSecAttrKeyClassPublic: CFString { Security.kSecAttrKeyClassPublic }
/// A private key.
public var kSecAttrKeyClassPrivate: CFString { Security.kSecAttrKeyClassPrivate }
/// The algorithm of a key.
public var kSecAttrKeyType: CFString { Security.kSecAttrKeyType }
/// An elliptic-curve key, by an older name.
public var kSecAttrKeyTypeEC: CFString { Security.kSecAttrKeyTypeEC }
/// An elliptic-curve key.
public var kSecAttrKeyTypeECSECPrimeRandom: CFString { Security.kSecAttrKeyTypeECSECPrimeRandom }
/// A key of RSA, which the Secure Enclave does not have.
public var kSecAttrKeyTypeRSA: CFString { Security.kSecAttrKeyTypeRSA }
/// The length of a key in bits.
public var kSecAttrKeySizeInBits: CFString { Security.kSecAttrKeySizeInBits }
/// Whether a key is stored in the Keychain.
public var kSecAttrIsPermanent: CFString { Security.kSecAttrIsPermanent }
/// The token that contains a key, such as the Secure Enclave.
public var kSecAttrTokenID: CFString { Security.kSecAttrTokenID }
/// The Secure Enclave.
public var kSecAttrTokenIDSecureEnclave: CFString { Security.kSecAttrTokenIDSecureEnclave }
/// The attributes of a new private key.
public var kSecPrivateKeyAttrs: CFString { Security.kSecPrivateKeyAttrs }
/// The attributes of a new public key, which the simulation does not keep.
public var kSecPublicKeyAttrs: CFString { Security.kSecPublicKeyAttrs }
/// The times at which an item is available.
public var kSecAttrAccessible: CFString { Security.kSecAttrAccessible }
/// The access control of an item.
public var kSecAttrAccessControl: CFString { Security.kSecAttrAccessControl }
/// While the screen is unlocked.
public var kSecAttrAccessibleWhenUnlocked: CFString { Security.kSecAttrAccessibleWhenUnlocked }
/// From the first unlock after a start.
public var kSecAttrAccessibleAfterFirstUnlock: CFString { Security.kSecAttrAccessibleAfterFirstUnlock }
/// Always.
public var kSecAttrAccessibleAlways: CFString { "dk" as CFString }
/// While the screen is unlocked, on a device with a passcode.
public var kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString {
    Security.kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
}
/// While the screen is unlocked; the item moves to no other device.
public var kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString {
    Security.kSecAttrAccessibleWhenUnlockedThisDeviceOnly
}
/// From the first unlock after a start; the item moves to no other device.
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString {
    Security.kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
}
/// Always; the item moves to no other device.
public var kSecAttrAccessibleAlwaysThisDeviceOnly: CFString { "dku" as CFString }
/// The maximum number of results of a search.
public var kSecMatchLimit: CFString { Security.kSecMatchLimit }
/// One result, which is the default.
public var kSecMatchLimitOne: CFString { Security.kSecMatchLimitOne }
/// Every result.
public var kSecMatchLimitAll: CFString { Security.kSecMatchLimitAll }
/// Whether a search returns the secret.
public var kSecReturnData: CFString { Security.kSecReturnData }
/// Whether a search returns the attributes.
public var kSecReturnAttributes: CFString { Security.kSecReturnAttributes }
/// Whether a search returns a reference, such as a key.
public var kSecReturnRef: CFString { Security.kSecReturnRef }
/// Whether a search returns a reference that the app can keep.
public var kSecReturnPersistentRef: CFString { Security.kSecReturnPersistentRef }
/// The secret.
public var kSecValueData: CFString { Security.kSecValueData }
/// A reference, such as a key.
public var kSecValueRef: CFString { Security.kSecValueRef }
/// A reference that the app has kept.
public var kSecValuePersistentRef: CFString { Security.kSecValuePersistentRef }
/// The context that verifies the user.
public var kSecUseAuthenticationContext: CFString { Security.kSecUseAuthenticationContext }
/// Whether a prompt may be shown.
public var kSecUseAuthenticationUI: CFString { Security.kSecUseAuthenticationUI }
/// A prompt may be shown, which is the default.
public var kSecUseAuthenticationUIAllow: CFString { "u_AuthUIA" as CFString }
/// A search that needs a prompt fails.
public var kSecUseAuthenticationUIFail: CFString { "u_AuthUIF" as CFString }
/// A search skips items that need a prompt.
public var kSecUseAuthenticationUISkip: CFString { Security.kSecUseAuthenticationUISkip }
/// Whether a search that needs a prompt fails, which Apple has deprecated.
public var kSecUseNoAuthenticationUI: CFString { "u_NoAuthUI" as CFString }
/// The reason that a prompt shows.
public var kSecUseOperationPrompt: CFString { "u_OpPrompt" as CFString }
/// Whether a Mac uses the Keychain of iOS, as the simulation always does.
public var kSecUseDataProtectionKeychain: CFString { Security.kSecUseDataProtectionKeychain }
/// No error.
public var errSecSuccess: OSStatus { Security.errSecSuccess }
/// The function is not implemented.
public var errSecUnimplemented: OSStatus { Security.errSecUnimplemented }
/// A parameter is wrong.
public var errSecParam: OSStatus { Security.errSecParam }
/// The user cancelled.
public var errSecUserCanceled: OSStatus { Security.errSecUserCanceled }
/// No Keychain is available.
public var errSecNotAvailable: OSStatus { Security.errSecNotAvailable }
/// The user was not verified.
public var errSecAuthFailed: OSStatus { Security.errSecAuthFailed }
/// The item already exists.
public var errSecDuplicateItem: OSStatus { Security.errSecDuplicateItem }
/// No item was found.
public var errSecItemNotFound: OSStatus { Security.errSecItemNotFound }
/// A prompt is needed, but is not allowed.
public var errSecInteractionNotAllowed: OSStatus { Security.errSecInteractionNotAllowed }
/// A signature is wrong.
public var errSecVerifyFailed: OSStatus { Security.errSecVerifyFailed }
/// The data cannot be decoded.
public var errSecDecode: OSStatus { Security.errSecDecode }
/// The app lacks an entitlement.
public var errSecMissingEntitlement: OSStatus { Security.errSecMissingEntitlement }
/// The default source of random bytes.
public var kSecRandomDefault: SecRandomRef? { Security.kSecRandomDefault }
/// The sentence of a result.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    Security.SecCopyErrorMessageString(status, reserved)
}
#endif
