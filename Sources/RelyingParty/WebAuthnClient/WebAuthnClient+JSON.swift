internal import CTAP
internal import Foundation
internal import WebAuthn

extension WebAuthnClient {
    /// ``create(_:origin:topOrigin:)`` from `PublicKeyCredentialCreationOptionsJSON` to `RegistrationResponseJSON`,
    /// both as UTF-8 (WebAuthn L3 §5.1.8, §5.1.9).
    ///
    /// - Throws: ``WebAuthnClientError``: `SyntaxError` for text that is not JSON, `EncodingError` for bytes that are
    ///   not base64url, `TypeError` for a missing member or a member of the wrong type.
    public func create(
        json: [UInt8], origin: Origin, topOrigin: Origin? = nil
    ) async throws(WebAuthnClientError) -> [UInt8] {
        try OptionsJSON.write(try await create(try OptionsJSON.read(json), origin: origin, topOrigin: topOrigin))
    }

    /// ``get(_:origin:topOrigin:)`` from `PublicKeyCredentialRequestOptionsJSON` to `AuthenticationResponseJSON`, both
    /// as UTF-8 (WebAuthn L3 §5.1.8, §5.1.10).
    ///
    /// - Throws: ``WebAuthnClientError``, as ``create(json:origin:topOrigin:)`` does.
    public func get(
        json: [UInt8], origin: Origin, topOrigin: Origin? = nil
    ) async throws(WebAuthnClientError) -> [UInt8] {
        try OptionsJSON.write(try await get(try OptionsJSON.read(json), origin: origin, topOrigin: topOrigin))
    }
}

extension RequestOptions {
    /// Reads the options in JSON, with the errors of ``WebAuthnClient/get(json:origin:topOrigin:)``.
    package init(json: [UInt8]) throws(WebAuthnClientError) { self = try OptionsJSON.read(json) }
}

extension CredentialPage {
    /// ``startConditional(_:origin:passwords:)`` with `PublicKeyCredentialRequestOptionsJSON` as UTF-8.
    ///
    /// - Throws: ``WebAuthnClientError``, also as ``WebAuthnClient/get(json:origin:topOrigin:)`` does for its options.
    public func startConditional(
        json: [UInt8], origin: Origin, passwords: [Password] = []
    ) throws(WebAuthnClientError) {
        try startConditional(try OptionsJSON.read(json), origin: origin, passwords: passwords)
    }

    /// ``createConditionally(_:origin:topOrigin:)`` from `PublicKeyCredentialCreationOptionsJSON` to
    /// `RegistrationResponseJSON`, both as UTF-8.
    ///
    /// - Throws: ``WebAuthnClientError``, also as ``WebAuthnClient/create(json:origin:topOrigin:)`` does for its options.
    public func createConditionally(
        json: [UInt8], origin: Origin, topOrigin: Origin? = nil
    ) async throws(WebAuthnClientError) -> [UInt8] {
        try OptionsJSON.write(
            try await createConditionally(try OptionsJSON.read(json), origin: origin, topOrigin: topOrigin))
    }
}

/// Reads options and writes responses like a browser.
private enum OptionsJSON {
    static func read<Options: Decodable>(_ json: [UInt8]) throws(WebAuthnClientError) -> Options {
        // Options without unknown values are read in one pass.
        if let options = try? JSONDecoder().decode(Options.self, from: Data(json)) { return options }
        do {
            let object = try JSONSerialization.jsonObject(with: Data(json))
            guard let members = object as? [String: Any] else {
                throw WebAuthnClientError(.typeError, .optionsMember, detail: "the options are not an object")
            }
            let data = try JSONSerialization.data(withJSONObject: ignoringUnknownValues(members))
            return try JSONDecoder().decode(Options.self, from: data)
        } catch let error as WebAuthnClientError {
            throw error
        } catch DecodingError.dataCorrupted(let context) where bytes.contains(context.codingPath.last?.stringValue) {
            throw WebAuthnClientError(.encodingError, .optionsBase64URL, detail: path(context.codingPath))
        } catch DecodingError.keyNotFound(let key, let context) {
            throw WebAuthnClientError(.typeError, .optionsMember, detail: path(context.codingPath + [key]))
        } catch DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context)
        {
            throw WebAuthnClientError(.typeError, .optionsMember, detail: path(context.codingPath))
        } catch {
            throw WebAuthnClientError(.syntaxError, .optionsNotJSON)
        }
    }

    static func write(_ response: some Encodable) throws(WebAuthnClientError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(response))
        } catch {
            throw WebAuthnClientError(.unknownError, .invalidResponse, detail: "\(error)")
        }
    }

    /// The names of members in base64url.
    private static let bytes: Set<String?> = ["challenge", "id", "first", "second", "write", "credBlob"]

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }

    /// Drops members whose enumeration does not contain their value (WebAuthn L3 §2.1.1).
    private static func ignoringUnknownValues(_ members: [String: Any]) -> [String: Any] {
        members.filter { name, value in
            guard let known = enumerations[name], let text = value as? String else { return true }
            return known.contains(text)
        }.mapValues { value in
            (value as? [String: Any]).map(ignoringUnknownValues) ?? value
        }
    }

    private static let enumerations: [String: [String]] = [
        "userVerification": UserVerificationRequirement.allCases.map(\.rawValue),
        "residentKey": ResidentKeyRequirement.allCases.map(\.rawValue),
        "authenticatorAttachment": AuthenticatorAttachment.allCases.map(\.rawValue),
        "support": LargeBlobSupport.allCases.map(\.rawValue),
        "attestation": AttestationConveyancePreference.allCases.map(\.rawValue),
    ]
}
