internal import Foundation

#if canImport(Security)
internal import Security
#endif

/// A class of items.
enum KeychainClass: Hashable, Sendable, CaseIterable {
    case genericPassword, internetPassword, key

    /// The value of `kSecClass`.
    var value: String {
        switch self {
        case .genericPassword: kSecClassGenericPassword as String
        case .internetPassword: kSecClassInternetPassword as String
        case .key: kSecClassKey as String
        }
    }
}

/// An attribute of items: its key, the kind of its value, and the classes that have it.
struct KeychainAttribute: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// A text; apps also give bytes.
        case text
        case bytes
        case number
        /// A number, or a text with one.
        case numberOrText
        case flag
    }

    let key: String
    let kind: Kind
    let classes: Set<KeychainClass>
    /// Whether it is part of the identity: two items of a class differ in one such attribute.
    let isIdentity: Bool

    private init(_ key: CFString, _ kind: Kind, _ classes: Set<KeychainClass>, identity: Bool = false) {
        (self.key, self.kind, self.classes, isIdentity) = (key as String, kind, classes, identity)
    }

    private static let passwords: Set<KeychainClass> = [.genericPassword, .internetPassword]
    private static let every = Set(KeychainClass.allCases)

    /// The attributes that the simulation knows, in the order of a name.
    static let all = [
        Self(kSecAttrService, .text, [.genericPassword], identity: true),
        Self(kSecAttrServer, .text, [.internetPassword], identity: true),
        Self(kSecAttrAccount, .text, passwords, identity: true),
        Self(kSecAttrSecurityDomain, .text, [.internetPassword], identity: true),
        Self(kSecAttrProtocol, .text, [.internetPassword], identity: true),
        Self(kSecAttrAuthenticationType, .text, [.internetPassword], identity: true),
        Self(kSecAttrPort, .number, [.internetPassword], identity: true),
        Self(kSecAttrPath, .text, [.internetPassword], identity: true),
        Self(kSecAttrApplicationTag, .text, [.key], identity: true),
        Self(kSecAttrApplicationLabel, .bytes, [.key], identity: true),
        Self(kSecAttrAccessGroup, .text, every, identity: true),
        Self(kSecAttrSynchronizable, .flag, every, identity: true),
        Self(kSecAttrGeneric, .bytes, [.genericPassword]),
        Self(kSecAttrLabel, .text, every),
        Self(kSecAttrDescription, .text, passwords),
        Self(kSecAttrComment, .text, passwords),
        Self(kSecAttrCreator, .number, passwords),
        Self(kSecAttrType, .number, passwords),
        Self(kSecAttrIsInvisible, .flag, passwords),
        Self(kSecAttrIsNegative, .flag, passwords),
        Self(kSecAttrKeyType, .numberOrText, [.key]),
        Self(kSecAttrKeyClass, .numberOrText, [.key]),
        Self(kSecAttrKeySizeInBits, .number, [.key]),
        Self(kSecAttrTokenID, .text, [.key]),
        Self(kSecAttrIsPermanent, .flag, [.key]),
    ]

    static func named(_ key: String, of itemClass: KeychainClass) -> KeychainAttribute? {
        all.first { $0.key == key && $0.classes.contains(itemClass) }
    }
}

/// The value of an attribute.
enum KeychainValue: Hashable, Sendable {
    case text(String)
    case bytes(Data)
    case number(Int)
    case flag(Bool)

    /// - Returns: nil for a value of another kind.
    init?(_ value: Any, _ kind: KeychainAttribute.Kind) {
        switch kind {
        case .text:
            if let text = value as? String {
                self = .text(text)
            } else if let bytes = value as? Data {
                self = .bytes(bytes)
            } else {
                return nil
            }
        case .bytes:
            guard let bytes = value as? Data else { return nil }
            self = .bytes(bytes)
        case .number:
            guard let number = value as? Int else { return nil }
            self = .number(number)
        case .numberOrText:
            if let text = value as? String {
                self = .text(text)
            } else if let number = value as? Int {
                self = .text("\(number)")
            } else {
                return nil
            }
        case .flag:
            guard let flag = value as? Bool else { return nil }
            self = .flag(flag)
        }
    }

    /// The value in a dictionary that the app receives.
    var object: Any {
        switch self {
        case .text(let text): text
        case .bytes(let bytes): bytes
        case .number(let number): number
        case .flag(let flag): flag
        }
    }

    /// The value in the name of an item.
    var word: String {
        switch self {
        case .text(let text): text
        case .bytes(let bytes): String(data: bytes, encoding: .utf8) ?? bytes.base64EncodedString()
        case .number(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        }
    }
}
