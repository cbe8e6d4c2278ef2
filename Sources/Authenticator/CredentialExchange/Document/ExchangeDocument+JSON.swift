internal import COSE
internal import CTAP
package import Documents
internal import WebAuthn

extension ExchangeDocument {
    /// The document as a JSON value.
    ///
    /// Required arrays stand also when they are empty, and optional members only with a content (§2.1.2).
    package var json: JSONValue {
        [
            "version": ["major": .integer(version.major), "minor": .integer(version.minor)],
            "exporterRpId": .text(exporterRelyingPartyID),
            "exporterDisplayName": .text(exporterDisplayName),
            "timestamp": .integer(timestamp),
            "accounts": .array(accounts.map(\.json)),
        ]
    }
}

extension ExchangeAccount {
    fileprivate var json: JSONValue {
        [
            "id": .bytes(id), "username": .text(username), "email": .text(email), "collections": [],
            "items": .array(items.map(\.json)),
        ]
    }
}

extension ExchangeItem {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [
            "id": .bytes(id), "title": .text(title), "credentials": .array(passkeys.map(\.json)),
        ]
        members["creationAt"] = creationAt.map(JSONValue.integer)
        members["modifiedAt"] = modifiedAt.map(JSONValue.integer)
        members["subtitle"] = subtitle.map(JSONValue.text)
        if !scopeURLs.isEmpty {
            members["scope"] = ["urls": .array(scopeURLs.map(JSONValue.text)), "androidApps": []]
        }
        return .object(members)
    }
}

extension ExchangePasskey {
    /// The value of `type`.
    static let type = "passkey"

    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [
            "type": .text(Self.type), "credentialId": .bytes(credentialID), "rpId": .text(relyingPartyID),
            "username": .text(username), "userDisplayName": .text(userDisplayName), "userHandle": .bytes(userHandle),
            "key": .bytes(privateKey.pkcs8Representation),
        ]
        if !extensions.isEmpty { members["fido2Extensions"] = extensions.json }
        return .object(members)
    }
}

extension ExchangeExtensions {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [:]
        members["hmacCredentials"] = hmacCredentials.map { secrets in
            [
                "algorithm": .text(HMACCredentials.algorithm), "credWithUV": .bytes(secrets.withUV),
                "credWithoutUV": .bytes(secrets.withoutUV),
            ]
        }
        members["credBlob"] = credBlob.map(JSONValue.bytes)
        members["largeBlob"] = largeBlob.map { blob in
            ["uncompressedSize": .integer(blob.originalSize), "data": .bytes(blob.data)]
        }
        members["payments"] = payments.map(JSONValue.bool)
        return .object(members)
    }
}

extension JSONValue {
    /// Bytes in base64url without padding.
    fileprivate static func bytes(_ bytes: [UInt8]) -> JSONValue { .text(Base64URL.encode(bytes)) }
}
