import COSE
import CTAP
import CredentialExchange
import Documents
import TestSupport
import WebAuthn

/// Documents for the tests.
enum Sample {
    static let key: COSE.PrivateKey = {
        guard let key = try? COSE.PrivateKey(algorithm: .es256, rawRepresentation: [UInt8](repeating: 7, count: 32))
        else { preconditionFailure("the key is valid") }
        return key
    }()

    /// A key of an algorithm, the same in every run.
    static func key(_ algorithm: COSE.Algorithm) throws -> COSE.PrivateKey {
        var generator = SeededGenerator(seed: 7)
        return try COSE.PrivateKey.generate(algorithm) { generator.bytes($0) }
    }

    static func passkey(_ number: UInt8 = 1, key: COSE.PrivateKey = key) -> ExchangePasskey {
        ExchangePasskey(
            credentialID: [UInt8](repeating: number, count: 16), relyingPartyID: "example.com", username: "ada",
            userDisplayName: "Ada Lovelace", userHandle: [number, 2, 3], privateKey: key)
    }

    static func document(_ passkeys: [ExchangePasskey] = [passkey()]) -> ExchangeDocument {
        ExchangeDocument(
            exporterRelyingPartyID: "passwords.example", exporterDisplayName: "Example Passwords",
            timestamp: 1_770_000_000,
            accounts: [
                ExchangeAccount(
                    id: [1], username: "", email: "ada@example.com",
                    items: [
                        ExchangeItem(
                            id: [2], creationAt: 1_760_000_000, modifiedAt: 1_760_000_001, title: "Example",
                            subtitle: "work", scopeURLs: ["https://example.com"], passkeys: passkeys)
                    ])
            ])
    }

    /// The document as text, after changes at JSON pointers; a nil value removes the member.
    static func text(
        _ document: ExchangeDocument = document(), changing changes: [(pointer: String, value: JSONValue?)] = []
    ) throws -> [UInt8] {
        let changed = changes.reduce(document.json) { json, change in
            json.setting(change.pointer.split(separator: "/").map(String.init)[...], to: change.value)
        }
        return Array(try changed.indented().utf8)
    }

    static func reading(_ changes: (pointer: String, value: JSONValue?)...) throws -> ExchangeReading {
        try ExchangeReading(parsing: text(changing: changes), file: "vault.json")
    }

    /// The pointer of the only passkey.
    static let passkeyPlace = "/accounts/0/items/0/credentials/0"
}

extension JSONValue {
    func setting(_ path: ArraySlice<String>, to value: JSONValue?) -> JSONValue {
        guard let name = path.first else { return value ?? .null }
        let rest = path.dropFirst()
        switch self {
        case .object(var members):
            members[name] = rest.isEmpty ? value : (members[name] ?? [:]).setting(rest, to: value)
            return .object(members)
        case .array(var items):
            guard let index = Int(name) else { return self }
            if index == items.count {
                if let value { items.append(value) }
            } else if rest.isEmpty {
                if let value { items[index] = value } else { items.remove(at: index) }
            } else {
                items[index] = items[index].setting(rest, to: value)
            }
            return .array(items)
        case .null, .bool, .integer, .number, .text: return self
        }
    }
}

extension ExchangePasskey {
    /// Everything but the key, which has no equality.
    var names: [String] {
        [
            Base64URL.encode(credentialID), relyingPartyID, username, userDisplayName, Base64URL.encode(userHandle),
            Base64URL.encode(privateKey.pkcs8Representation),
        ]
    }
}
