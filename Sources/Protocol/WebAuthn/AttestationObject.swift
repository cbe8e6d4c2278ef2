public import CBOR

/// The result of a registration: `{"fmt": text, "attStmt": map, "authData": bytes}` (WebAuthn L3 §6.5.4).
public struct AttestationObject: Hashable, Sendable {
    /// The attestation statement format's identifier; case matters.
    public var format: String
    /// The statement: a map, or an array for `compound`.
    public var statement: CBOR.Value
    /// The authenticator data as received, because the attestation signature covers exactly these bytes.
    public var authenticatorData: [UInt8]

    /// An attestation object from its three members.
    public init(format: String, statement: CBOR.Value, authenticatorData: [UInt8]) {
        self.format = format
        self.statement = statement
        self.authenticatorData = authenticatorData
    }

    /// The reason bytes are not an attestation object.
    public enum ParsingError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The bytes are not one canonical CBOR item.
        case invalidCBOR(CBOR.DecodingError)
        /// A member is missing or of the wrong type.
        case invalidMember(CBOR.AccessError)

        /// The member or rule, after the words "the attestation object".
        public var description: String {
            switch self {
            case .invalidCBOR(let error): "the attestation object: \(error)"
            case .invalidMember(let error): "the attestation object: \(error)"
            }
        }
    }

    /// Reads an attestation object; it must be one canonical CBOR map with nothing after it.
    ///
    /// With `inAnyOrder`, members, the statement's too, may be in another order than the canonical one.
    ///
    /// - Throws: ``ParsingError``.
    public init(parsing bytes: [UInt8], inAnyOrder: Bool = false) throws(ParsingError) {
        let value: CBOR.Value
        var options = CBOR.DecodingOptions.attestation
        options.requiresSortedKeys = !inAnyOrder
        do {
            value = try CBOR.decode(bytes, options: options)
        } catch {
            throw .invalidCBOR(error)
        }
        do {
            let map = try value.asMap("the whole")
            format = try map.required("fmt", "fmt").asText("fmt")
            authenticatorData = try map.required("authData", "authData").asBytes("authData")
            statement = try map.required("attStmt", "attStmt")
            if format == "compound" {
                _ = try statement.asArray("attStmt")
            } else {
                _ = try statement.asMap("attStmt")
            }
        } catch {
            throw .invalidMember(error)
        }
    }

    /// The canonical encoding.
    public var encoded: [UInt8] {
        CBOR.encode(["fmt": .text(format), "attStmt": statement, "authData": .bytes(authenticatorData)])
    }
}
