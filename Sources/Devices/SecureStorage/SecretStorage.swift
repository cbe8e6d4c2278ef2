internal import Foundation

/// Where a device keeps its apps' secrets when its process ends.
public protocol SecretStorage: Sendable {
    /// Keeps one secret under a name, or with nil removes it, and returns when that is safe.
    func commit(secret: [UInt8]?, as name: String) throws

    /// Keeps these secrets in place of all there were.
    func replaceSecrets(_ secrets: [String: [UInt8]]) throws
}

/// A secret and what it is bound to.
struct SecretItem: Sendable, Codable {
    let secret: [UInt8]
    let access: SecureStorage.Access
    let bindingGeneration: UInt64
}

extension SecretItem {
    /// The form storage keeps.
    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Array(try encoder.encode(self))
    }

    /// Reads what ``encoded()`` wrote.
    init(encoded: [UInt8]) throws {
        self = try JSONDecoder().decode(SecretItem.self, from: Data(encoded))
    }
}
