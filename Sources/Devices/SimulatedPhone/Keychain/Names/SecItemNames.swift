// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if !canImport(Security)
// Classes of items.
/// The class of an item.
public let kSecClass: CFString = "class"
/// A password of a service, such as an app's token.
public let kSecClassGenericPassword: CFString = "genp"
/// A password of a server on the Internet.
public let kSecClassInternetPassword: CFString = "inet"
/// A cryptographic key.
public let kSecClassKey: CFString = "keys"
/// A certificate, which the simulation does not have.
public let kSecClassCertificate: CFString = "cert"
/// A certificate with its private key, which the simulation does not have.
public let kSecClassIdentity: CFString = "idnt"

// Attributes of items.
/// The account of a password.
public let kSecAttrAccount: CFString = "acct"
/// The service of a generic password.
public let kSecAttrService: CFString = "svce"
/// The app's own data with a generic password.
public let kSecAttrGeneric: CFString = "gena"
/// The server of an internet password.
public let kSecAttrServer: CFString = "srvr"
/// The security domain of an internet password.
public let kSecAttrSecurityDomain: CFString = "sdmn"
/// The protocol of an internet password.
public let kSecAttrProtocol: CFString = "ptcl"
/// The authentication type of an internet password.
public let kSecAttrAuthenticationType: CFString = "atyp"
/// The port of an internet password.
public let kSecAttrPort: CFString = "port"
/// The path of an internet password.
public let kSecAttrPath: CFString = "path"
/// The group of apps that share an item.
public let kSecAttrAccessGroup: CFString = "agrp"
/// The label of an item, as the user sees it.
public let kSecAttrLabel: CFString = "labl"
/// The description of an item, as the user sees it.
public let kSecAttrDescription: CFString = "desc"
/// A comment of the user.
public let kSecAttrComment: CFString = "icmt"
/// The creator of an item, as a number.
public let kSecAttrCreator: CFString = "crtr"
/// The type of a password, as a number.
public let kSecAttrType: CFString = "type"
/// Whether an item is hidden.
public let kSecAttrIsInvisible: CFString = "invi"
/// Whether a password is a placeholder.
public let kSecAttrIsNegative: CFString = "nega"
/// Whether an item also reaches the user's other devices.
public let kSecAttrSynchronizable: CFString = "sync"
/// In a search: items that reach other devices, and items that do not.
public let kSecAttrSynchronizableAny: CFString = "syna"
/// The time at which an item was added.
public let kSecAttrCreationDate: CFString = "cdat"
/// The time at which an item was last changed.
public let kSecAttrModificationDate: CFString = "mdat"

// Attributes of keys.
/// The app's own name for a key.
public let kSecAttrApplicationTag: CFString = "atag"
/// The label by which the system finds a key: the SHA-1 hash of the public key.
public let kSecAttrApplicationLabel: CFString = "klbl"
/// The class of a key.
public let kSecAttrKeyClass: CFString = "kcls"
/// A public key.
public let kSecAttrKeyClassPublic: CFString = "0"
/// A private key.
public let kSecAttrKeyClassPrivate: CFString = "1"
/// The algorithm of a key.
public let kSecAttrKeyType: CFString = "type"
/// An elliptic-curve key, by an older name.
public let kSecAttrKeyTypeEC: CFString = "73"
/// An elliptic-curve key.
public let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
/// A key of RSA, which the Secure Enclave does not have.
public let kSecAttrKeyTypeRSA: CFString = "42"
/// The length of a key in bits.
public let kSecAttrKeySizeInBits: CFString = "bsiz"
/// Whether a key is stored in the Keychain.
public let kSecAttrIsPermanent: CFString = "perm"
/// The token that contains a key, such as the Secure Enclave.
public let kSecAttrTokenID: CFString = "tkid"
/// The Secure Enclave.
public let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"
/// The attributes of a new private key.
public let kSecPrivateKeyAttrs: CFString = "private"
/// The attributes of a new public key, which the simulation does not keep.
public let kSecPublicKeyAttrs: CFString = "public"

// Availability of items.
/// The times at which an item is available.
public let kSecAttrAccessible: CFString = "pdmn"
/// The access control of an item.
public let kSecAttrAccessControl: CFString = "accc"
/// While the screen is unlocked.
public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// From the first unlock after a start.
public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// Always.
public let kSecAttrAccessibleAlways: CFString = "dk"
/// While the screen is unlocked, on a device with a passcode.
public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
/// While the screen is unlocked; the item moves to no other device.
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// From the first unlock after a start; the item moves to no other device.
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// Always; the item moves to no other device.
public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"

// Searches and results.
/// The maximum number of results of a search.
public let kSecMatchLimit: CFString = "m_Limit"
/// One result, which is the default.
public let kSecMatchLimitOne: CFString = "m_LimitOne"
/// Every result.
public let kSecMatchLimitAll: CFString = "m_LimitAll"
/// Whether a search returns the secret.
public let kSecReturnData: CFString = "r_Data"
/// Whether a search returns the attributes.
public let kSecReturnAttributes: CFString = "r_Attributes"
/// Whether a search returns a reference, such as a key.
public let kSecReturnRef: CFString = "r_Ref"
/// Whether a search returns a reference that the app can keep.
public let kSecReturnPersistentRef: CFString = "r_PersistentRef"
/// The secret.
public let kSecValueData: CFString = "v_Data"
/// A reference, such as a key.
public let kSecValueRef: CFString = "v_Ref"
/// A reference that the app has kept.
public let kSecValuePersistentRef: CFString = "v_PersistentRef"

// The user's authentication.
/// The context that verifies the user.
public let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
/// Whether a prompt may be shown.
public let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// A prompt may be shown, which is the default.
public let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// A search that needs a prompt fails.
public let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// A search skips items that need a prompt.
public let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
/// Whether a search that needs a prompt fails, which Apple has deprecated.
public let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
/// The reason that a prompt shows.
public let kSecUseOperationPrompt: CFString = "u_OpPrompt"
/// Whether a Mac uses the Keychain of iOS, as the simulation always does.
public let kSecUseDataProtectionKeychain: CFString = "nleg"
#endif
