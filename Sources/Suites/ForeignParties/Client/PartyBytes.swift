internal import Documents
internal import Foundation
internal import WebAuthn

/// The form of bytes in a relying party's options and in the responses that it reads.
package enum PartyBytes: String, CaseIterable, Sendable {
    /// The form of WebAuthn's own JSON.
    case base64url
    /// Base64 with padding.
    case base64
    /// A list of numbers.
    case array

    /// The options in WebAuthn's JSON.
    func options(_ options: JSONValue) -> JSONValue {
        guard self != .base64url else { return options }
        return Self.options.reduce(options) { options, path in
            options.changing(path) { value in bytes(of: value).map { .text(Base64URL.encode($0)) } ?? value }
        }
    }

    /// The response as the relying party reads it; `id` always is base64url, as browsers give it.
    func response(_ response: JSONValue) -> JSONValue {
        guard self != .base64url else { return response }
        return Self.response.reduce(response) { response, path in
            response.changing(path) { value in value.text.flatMap(Base64URL.decode).map(written) ?? value }
        }
    }

    /// The members with bytes; `*` is each item of a list.
    private static let options = [
        ["challenge"], ["user", "id"], ["excludeCredentials", "*", "id"], ["allowCredentials", "*", "id"],
    ]
    private static let response =
        [["rawId"]]
        + ["clientDataJSON", "attestationObject", "authenticatorData", "publicKey", "signature", "userHandle"].map {
            ["response", $0]
        }

    private func bytes(of value: JSONValue) -> [UInt8]? {
        switch self {
        case .base64url: value.text.flatMap(Base64URL.decode)
        case .base64: value.text.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
        case .array:
            value.array.flatMap { items in
                let bytes = items.compactMap { $0.integer.flatMap { UInt8(exactly: $0) } }
                return bytes.count == items.count ? bytes : nil
            }
        }
    }

    private func written(_ bytes: [UInt8]) -> JSONValue {
        switch self {
        case .base64url: .text(Base64URL.encode(bytes))
        case .base64: .text(Data(bytes).base64EncodedString())
        case .array: .array(bytes.map { .integer(Int($0)) })
        }
    }
}

extension JSONValue {
    /// The same value with the values at a path changed; a path that leads to nothing changes nothing.
    fileprivate func changing(_ path: some Collection<String>, _ change: (JSONValue) -> JSONValue) -> JSONValue {
        guard let name = path.first else { return change(self) }
        if name == "*", let items = array {
            return .array(items.map { $0.changing(path.dropFirst(), change) })
        }
        guard var members = object, let member = members[name] else { return self }
        members[name] = member.changing(path.dropFirst(), change)
        return .object(members)
    }
}
