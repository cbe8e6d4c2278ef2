// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if !canImport(Security)
public import Foundation
public import SimulatedPhone

// Objective-C bridges these types on Apple's systems: a result as `AnyObject?`, and dictionaries as `NSDictionary`.

/// `SecItemAdd(_:_:)` with a result of the type `AnyObject?`.
@_disfavoredOverload
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<AnyObject?>?) -> OSStatus {
    withObject(result) { SimulatedKeychain().add(attributes, $0) }
}

/// `SecItemCopyMatching(_:_:)` with a result of the type `AnyObject?`.
@_disfavoredOverload
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<AnyObject?>?) -> OSStatus {
    withObject(result) { SimulatedKeychain().copyMatching(query, $0) }
}

/// `SecItemAdd(_:_:)` with an `NSDictionary`.
@_disfavoredOverload
@discardableResult
public func SecItemAdd(_ attributes: NSDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    SimulatedKeychain().add(entries(attributes), result)
}

/// `SecItemAdd(_:_:)` with an `NSDictionary`, and with a result of the type `AnyObject?`.
@_disfavoredOverload
@discardableResult
public func SecItemAdd(_ attributes: NSDictionary, _ result: UnsafeMutablePointer<AnyObject?>?) -> OSStatus {
    withObject(result) { SimulatedKeychain().add(entries(attributes), $0) }
}

/// `SecItemCopyMatching(_:_:)` with an `NSDictionary`.
@_disfavoredOverload
@discardableResult
public func SecItemCopyMatching(_ query: NSDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    SimulatedKeychain().copyMatching(entries(query), result)
}

/// `SecItemCopyMatching(_:_:)` with an `NSDictionary`, and with a result of the type `AnyObject?`.
@_disfavoredOverload
@discardableResult
public func SecItemCopyMatching(_ query: NSDictionary, _ result: UnsafeMutablePointer<AnyObject?>?) -> OSStatus {
    withObject(result) { SimulatedKeychain().copyMatching(entries(query), $0) }
}

/// `SecItemUpdate(_:_:)` with dictionaries of the type `NSDictionary`.
@_disfavoredOverload
@discardableResult
public func SecItemUpdate(_ query: NSDictionary, _ attributesToUpdate: NSDictionary) -> OSStatus {
    SimulatedKeychain().update(entries(query), entries(attributesToUpdate))
}

/// `SecItemDelete(_:)` with an `NSDictionary`.
@_disfavoredOverload
@discardableResult
public func SecItemDelete(_ query: NSDictionary) -> OSStatus { SimulatedKeychain().delete(entries(query)) }

/// `SecKeyCreateRandomKey(_:_:)` with an `NSDictionary`.
@_disfavoredOverload
public func SecKeyCreateRandomKey(
    _ parameters: NSDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    SimulatedSecKeyCreateRandomKey(entries(parameters), error)
}

/// The entries of a dictionary of Foundation, and of those in it; another key keeps its description, which the Keychain
/// refuses.
private func entries(_ dictionary: NSDictionary) -> [String: Any] {
    var entries: [String: Any] = [:]
    for (key, value) in dictionary {
        entries[key as? String ?? "\(key)"] = (value as? NSDictionary).map(SimulatedAppleNames.entries) ?? value
    }
    return entries
}

/// Makes a call, and stores its result as an object.
private func withObject(
    _ object: UnsafeMutablePointer<AnyObject?>?, _ call: (UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus
) -> OSStatus {
    guard let object else { return call(nil) }
    var result: CFTypeRef?
    let status = call(&result)
    if let result { object.pointee = result as AnyObject }
    return status
}
#endif
