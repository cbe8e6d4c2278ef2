// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if !canImport(LocalAuthentication)
/// The verification that an app asks for, with Apple's numbers, for systems without Apple's framework.
///
/// Source: `LAPublicDefines.h` and `LAContext.h` of Apple's SDK.
public enum LAPolicy: Int, Hashable, Sendable {
    /// A face or a finger.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// A face or a finger, or the passcode.
    case deviceOwnerAuthentication = 2
    /// A companion, such as a watch; the simulation has the policy on Macs only.
    case deviceOwnerAuthenticationWithCompanion = 3
    /// A face or a finger, or a companion; the simulation has the policy on Macs only.
    case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4
}

/// The kind of a device's sensor, with Apple's numbers.
public enum LABiometryType: Int, Hashable, Sendable {
    /// No sensor.
    case none = 0
    /// A fingerprint sensor.
    case touchID = 1
    /// A face sensor.
    case faceID = 2
    /// An iris sensor.
    case opticID = 4
}

/// The kind of a credential that the app sets on a context.
public enum LACredentialType: Int, Hashable, Sendable {
    /// The app's own password for items of the Keychain.
    case applicationPassword = 0
}

/// The operation for which an access control is evaluated, with Apple's numbers.
public enum LAAccessControlOperation: Int, Hashable, Sendable {
    /// The app stores an item.
    case createItem = 0
    /// The app reads an item.
    case useItem = 1
    /// The app creates a key.
    case createKey = 2
    /// The app signs with a key.
    case useKeySign = 3
    /// The app decrypts with a key.
    case useKeyDecrypt = 4
    /// The app performs a key exchange.
    case useKeyKeyExchange = 5
}

/// The maximum of ``SimulatedLAContext/touchIDAuthenticationAllowableReuseDuration``, in seconds: five minutes.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: Double = 300
#endif
