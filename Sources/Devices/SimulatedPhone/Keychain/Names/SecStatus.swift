// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if !canImport(Security)
/// A result of the Keychain; zero is success.
public typealias OSStatus = Int32

// The results, with Apple's numbers. Source: `SecBase.h` of Apple's SDK.
/// No error.
public let errSecSuccess: OSStatus = 0
/// The function is not implemented.
public let errSecUnimplemented: OSStatus = -4
/// A parameter is wrong.
public let errSecParam: OSStatus = -50
/// The user cancelled.
public let errSecUserCanceled: OSStatus = -128
/// No Keychain is available.
public let errSecNotAvailable: OSStatus = -25291
/// The user was not verified.
public let errSecAuthFailed: OSStatus = -25293
/// The item already exists.
public let errSecDuplicateItem: OSStatus = -25299
/// No item was found.
public let errSecItemNotFound: OSStatus = -25300
/// A prompt is needed, but is not allowed.
public let errSecInteractionNotAllowed: OSStatus = -25308
/// A signature is wrong.
public let errSecVerifyFailed: OSStatus = -67808
/// The data cannot be decoded.
public let errSecDecode: OSStatus = -26275
/// The app lacks an entitlement.
public let errSecMissingEntitlement: OSStatus = -34018

/// The sentence of a result; nil for a number that the simulation does not use.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    switch status {
    case errSecSuccess: "No error."
    case errSecUnimplemented: "Function or operation not implemented."
    case errSecParam: "One or more parameters passed to a function were not valid."
    case errSecUserCanceled: "User canceled the operation."
    case errSecNotAvailable: "No keychain is available."
    case errSecAuthFailed: "The user name or passphrase you entered is not correct."
    case errSecDuplicateItem: "The specified item already exists in the keychain."
    case errSecItemNotFound: "The specified item could not be found in the keychain."
    case errSecInteractionNotAllowed: "User interaction is not allowed."
    case errSecVerifyFailed: "A cryptographic verification failure has occurred."
    case errSecDecode: "Unable to decode the provided data."
    case errSecMissingEntitlement: "A required entitlement isn't present."
    default: nil
    }
}
#endif
