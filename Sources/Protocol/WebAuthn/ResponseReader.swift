internal import Foundation

/// An authenticator's response that can be read without `JSONDecoder`, which takes longer than checking a signature.
package protocol QuicklyReadResponse: Hashable, Sendable, Codable {
    /// Reads the members of the response; nil for anything unusual, which is left to `JSONDecoder` and its errors.
    init?(quickly members: ResponseMembers)
}

/// The members of an object of a response in JSON.
package struct ResponseMembers {
    private let values: [String: StrictJSON.Value]

    /// - Returns: nil for anything but an object in ASCII without repeated names.
    fileprivate init?(_ json: [UInt8]) {
        guard json.allSatisfy({ $0 < 0x80 }), let values = StrictJSON.uniqueMembers(ofObject: json) else { return nil }
        self.values = values
    }

    /// The outcome of reading an optional member; nil where the member is of another type.
    private func optional<Result>(_ name: String, _ read: (StrictJSON.Value) -> Result?) -> Result?? {
        switch values[name] {
        case nil, .null: .some(nil)
        case let value?: read(value).map { .some($0) }
        }
    }

    fileprivate func text(_ name: String) -> String? {
        if case .text(let text) = values[name] { text } else { nil }
    }

    fileprivate func optionalText(_ name: String) -> String?? {
        optional(name) { if case .text(let text) = $0 { text } else { nil } }
    }

    fileprivate func bytes(_ name: String) -> Base64URLBytes? {
        text(name).flatMap(Base64URL.decode).map { Base64URLBytes($0) }
    }

    fileprivate func optionalBytes(_ name: String) -> Base64URLBytes?? {
        optional(name) { value in
            guard case .text(let text?) = value, let bytes = Base64URL.decode(text) else { return nil }
            return Base64URLBytes(bytes)
        }
    }

    fileprivate func object(_ name: String) -> [UInt8]? {
        if case .other(let bytes) = values[name], bytes.first == UInt8(ascii: "{") { Array(bytes) } else { nil }
    }

    fileprivate func optionalInteger(_ name: String) -> Int?? {
        optional(name) { if case .other(let bytes) = $0 { Int(String(decoding: bytes, as: UTF8.self)) } else { nil } }
    }

    /// An array of texts without escapes and commas.
    fileprivate func optionalTexts(_ name: String) -> [String]?? {
        optional(name) { value in
            guard case .other(let bytes) = value, bytes.first == UInt8(ascii: "[") else { return nil }
            var texts: [String] = []
            for piece in bytes.dropFirst().dropLast().split(separator: UInt8(ascii: ",")) {
                let letters = piece.dropFirst().dropLast()
                guard piece.count >= 2, piece.first == UInt8(ascii: "\""), piece.last == UInt8(ascii: "\""),
                    !letters.contains(where: { "\\\"".utf8.contains($0) })
                else { return nil }
                texts.append(String(decoding: letters, as: UTF8.self))
            }
            return texts
        }
    }

    /// The outputs of extensions; `JSONDecoder` reads them unless there are none.
    fileprivate func extensionResults(_ name: String) -> ClientExtensionResults? {
        guard let bytes = object(name) else { return nil }
        if bytes.elementsEqual("{}".utf8) { return ClientExtensionResults() }
        return try? JSONDecoder().decode(ClientExtensionResults.self, from: Data(bytes))
    }
}

extension PublicKeyCredentialResponse where Response: QuicklyReadResponse {
    /// Reads a response as `JSONDecoder` would; nil for anything unusual or malformed, which is left to it.
    package init?(quickly json: [UInt8]) {
        guard let members = ResponseMembers(json), let id = members.text("id"), let rawId = members.bytes("rawId"),
            let type = members.text("type"), let attachment = members.optionalText("authenticatorAttachment"),
            let results = members.extensionResults("clientExtensionResults"),
            let response = members.object("response").flatMap({ ResponseMembers($0) }).flatMap(Response.init(quickly:))
        else { return nil }
        self.id = id
        self.rawId = rawId
        self.type = type
        authenticatorAttachment = attachment
        clientExtensionResults = results
        self.response = response
    }
}

extension AttestationResponse: QuicklyReadResponse {
    package init?(quickly members: ResponseMembers) {
        guard let clientData = members.bytes("clientDataJSON"), let object = members.bytes("attestationObject"),
            let data = members.optionalBytes("authenticatorData"),
            let transports = members.optionalTexts("transports"), let key = members.optionalBytes("publicKey"),
            let algorithm = members.optionalInteger("publicKeyAlgorithm")
        else { return nil }
        clientDataJSON = clientData
        attestationObject = object
        authenticatorData = data
        self.transports = transports?.map(AuthenticatorTransport.init(rawValue:))
        publicKey = key
        publicKeyAlgorithm = algorithm
    }
}

extension AssertionResponse: QuicklyReadResponse {
    package init?(quickly members: ResponseMembers) {
        guard let clientData = members.bytes("clientDataJSON"), let data = members.bytes("authenticatorData"),
            let signature = members.bytes("signature"), let handle = members.optionalBytes("userHandle")
        else { return nil }
        clientDataJSON = clientData
        authenticatorData = data
        self.signature = signature
        userHandle = handle
    }
}
