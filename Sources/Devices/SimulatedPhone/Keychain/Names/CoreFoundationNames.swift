#if !canImport(Security)
public import Foundation

// The types of Core Foundation that the Keychain's calls have, as Swift's own.
/// A text.
public typealias CFString = String
/// Bytes.
public typealias CFData = Data
/// A dictionary.
public typealias CFDictionary = [String: Any]
/// An object of any type.
public typealias CFTypeRef = Any
/// An error.
public typealias CFError = NSError
/// An allocator, of which there is none here.
public typealias CFAllocator = Never
/// A truth value.
public typealias CFBoolean = Bool

/// The default allocator.
public let kCFAllocatorDefault: CFAllocator? = nil
/// True.
public let kCFBooleanTrue: CFBoolean? = true
/// False.
public let kCFBooleanFalse: CFBoolean? = false
#endif
