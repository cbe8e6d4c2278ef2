// swift-format-ignore-file: AlwaysUseLowerCamelCase

@_exported public import SimulatedPhone

#if canImport(Security)
// Code that imports this module in place of Security has the types of Core Foundation from there.
@_exported public import CoreFoundation
public import Foundation
public import Security

/// The constraints of an access control, of Apple's framework.
public typealias SecAccessControlCreateFlags = Security.SecAccessControlCreateFlags
/// An algorithm, of Apple's framework.
public typealias SecKeyAlgorithm = Security.SecKeyAlgorithm
/// The operation of a key, of Apple's framework.
public typealias SecKeyOperationType = Security.SecKeyOperationType
#endif

/// `SimulatedSecAccessControl` by Apple's name.
public typealias SecAccessControl = SimulatedSecAccessControl
/// `SimulatedSecKey` by Apple's name.
public typealias SecKey = SimulatedSecKey

/// `SimulatedKeychain.add(_:_:)` on the phone in use.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    SimulatedKeychain().add(attributes, result)
}

/// `SimulatedKeychain.copyMatching(_:_:)` on the phone in use.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    SimulatedKeychain().copyMatching(query, result)
}

/// `SimulatedKeychain.update(_:_:)` on the phone in use.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    SimulatedKeychain().update(query, attributesToUpdate)
}

/// `SimulatedKeychain.delete(_:)` on the phone in use.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { SimulatedKeychain().delete(query) }

/// `SimulatedSecAccessControlCreateWithFlags(_:_:_:_:)` by Apple's name.
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    SimulatedSecAccessControlCreateWithFlags(allocator, protection, flags, error)
}

/// `SimulatedSecKeyCreateRandomKey(_:_:)` by Apple's name.
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    SimulatedSecKeyCreateRandomKey(parameters, error)
}

/// `SimulatedSecKeyCopyPublicKey(_:)` by Apple's name.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { SimulatedSecKeyCopyPublicKey(key) }

/// `SimulatedSecKeyCopyExternalRepresentation(_:_:)` by Apple's name.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    SimulatedSecKeyCopyExternalRepresentation(key, error)
}

/// `SimulatedSecKeyIsAlgorithmSupported(_:_:_:)` by Apple's name.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    SimulatedSecKeyIsAlgorithmSupported(key, operation, algorithm)
}

/// `SimulatedSecKeyCreateSignature(_:_:_:_:)` by Apple's name.
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    SimulatedSecKeyCreateSignature(key, algorithm, dataToSign, error)
}

/// `SimulatedSecKeyVerifySignature(_:_:_:_:_:)` by Apple's name.
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    SimulatedSecKeyVerifySignature(key, algorithm, signedData, signature, error)
}

/// `SimulatedSecKeyCreateEncryptedData(_:_:_:_:)` by Apple's name.
public func SecKeyCreateEncryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    SimulatedSecKeyCreateEncryptedData(key, algorithm, plaintext, error)
}

/// `SimulatedSecKeyCreateDecryptedData(_:_:_:_:)` by Apple's name.
public func SecKeyCreateDecryptedData(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    SimulatedSecKeyCreateDecryptedData(key, algorithm, ciphertext, error)
}

/// `SimulatedSecRandomCopyBytes(_:_:)` by Apple's name; every source is the default one.
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    SimulatedSecRandomCopyBytes(count, bytes)
}
