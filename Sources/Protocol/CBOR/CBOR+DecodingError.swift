extension CBOR {
    /// The reason bytes were refused: the violated rule and the offset of the item that violates it.
    public struct DecodingError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The rule that was broken.
        public let rule: Rule
        /// The offset, from the first byte given, of the item that broke it.
        public let offset: Int

        /// A broken rule at an offset.
        public init(rule: Rule, offset: Int) {
            self.rule = rule
            self.offset = offset
        }

        /// The rule in words, and the offset.
        public var description: String { "\(rule.explanation), at byte \(offset)" }
    }

    /// The rules of the CTAP2 canonical CBOR encoding form, each with its own refusal.
    public enum Rule: String, CaseIterable, Sendable {
        /// The input ended inside an item.
        case truncated
        /// Bytes follow the item.
        case trailingBytes
        /// An integer, length or tag did not use the fewest bytes.
        case nonMinimalInteger
        /// A string, array or map of indefinite length, or a stray break code.
        case indefiniteLength
        /// Additional information 28…30, which RFC 8949 reserves.
        case reservedAdditionalInformation
        /// A simple value below 32 in two bytes, which RFC 8949 §3.3 forbids.
        case invalidSimpleValue
        /// A text string that is not UTF-8.
        case invalidUTF8
        /// Map keys out of canonical order.
        case unsortedKeys
        /// A map key that occurs twice.
        case duplicateKey
        /// Arrays and maps nested deeper than the limit.
        case nestingTooDeep
        /// A tag, which CTAP2 messages do not carry.
        case tagNotAllowed
        /// A floating-point number where none may be.
        case floatNotAllowed

        /// One clause in plain words.
        public var explanation: String {
            switch self {
            case .truncated: "the input ends inside an item"
            case .trailingBytes: "bytes follow the item"
            case .nonMinimalInteger: "an integer or length is not in its shortest form"
            case .indefiniteLength: "an item has indefinite length, or is a break (0xFF) without one"
            case .reservedAdditionalInformation: "additional information 28 to 30 is reserved"
            case .invalidSimpleValue: "a simple value below 32 is written in two bytes"
            case .invalidUTF8: "a text string is not valid UTF-8"
            case .unsortedKeys: "map keys are not in canonical order"
            case .duplicateKey: "a map key occurs twice"
            case .nestingTooDeep: "arrays and maps are nested too deeply"
            case .tagNotAllowed: "a tag is not allowed here"
            case .floatNotAllowed: "a floating-point number is not allowed here"
            }
        }
    }
}
