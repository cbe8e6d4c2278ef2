#if !canImport(Security)
public import Foundation

// The types of Core Foundation in the Keychain's calls, as types of Swift.
/// A string.
public typealias CFString = String
/// Bytes.
public typealias CFData = Data
/// A dictionary.
public typealias CFDictionary = [String: Any]
/// An object of any type.
public typealias CFTypeRef = Any
/// An error.
public typealias CFError = NSError
/// An allocator; the only optional value is nil.
public typealias CFAllocator = Never
/// A Boolean value.
public typealias CFBoolean = Bool

/// A source of random bytes; the default one has no object.
public typealias SecRandomRef = Never

/// The default source of random bytes.
public let kSecRandomDefault: SecRandomRef? = nil
/// The default allocator.
public let kCFAllocatorDefault: CFAllocator? = nil
/// True.
public let kCFBooleanTrue: CFBoolean? = true
/// False.
public let kCFBooleanFalse: CFBoolean? = false
#endif
