package import CBOR

/// The reason why a text is not the text of a FIDO QR code, or why its code is not accepted (CTAP 2.3 §11.5.1).
package enum QRError: Error, Hashable, Sendable, CustomStringConvertible {
    case notAFIDOCode
    case empty
    case tooLong(Int)
    case notADigit(position: Int)
    case impossibleLength(Int)
    case outOfRange(position: Int)
    case malformed(CBOR.DecodingError)
    case trailingBytes(Int)
    case notAMap(CBOR.Kind)
    case missing(QRContents.Key)
    case wrongType(QRContents.Key, found: CBOR.Kind)
    case uncompressedKey
    case keyLength(Int)
    case pointNotOnCurve
    case secretLength(Int)
    case numberTooLarge(QRContents.Key)
    case channelNotANumber(CBOR.Kind)
    case expired(age: Duration, limit: Duration)
    case fromTheFuture(Duration)

    /// One sentence that says what is wrong, and one that says what to do.
    package var description: String { "\(problem). \(remedy)." }

    /// What is wrong, as a sentence without its full stop.
    package var problem: String {
        switch self {
        case .notAFIDOCode: "The text does not begin with \(QRContents.prefix)"
        case .empty: "The text ends after \(QRContents.prefix)"
        case .tooLong(let count): "The code has \(count) digits, and a QR code has room for \(QRDigits.mostDigits)"
        case .notADigit(let position): "The character at position \(position) is not one of the digits 0 to 9"
        case .impossibleLength(let count): "A code of length \(count) cannot be the digits of whole bytes"
        case .outOfRange(let position): "The number at position \(position) is larger than its bytes can be"
        case .malformed(let error): "The contents are not canonical CBOR: \(error)"
        case .trailingBytes(let offset): "Bytes follow the contents, at byte \(offset)"
        case .notAMap(let kind): "The contents are \(kind.withArticle), not a map"
        case .missing(let key): "\(key) is missing"
        case .wrongType(let key, let found): "\(key) is \(found.withArticle), not \(key.expected)"
        case .uncompressedKey: "The public key (key 0) is uncompressed, with 65 bytes"
        case .keyLength(let count): "The public key (key 0) has \(count) bytes"
        case .pointNotOnCurve: "The public key (key 0) is not a point on P-256"
        case .secretLength(let count): "The secret (key 1) has length \(count)"
        case .numberTooLarge(let key): "\(key) is too large"
        case .channelNotANumber(let kind):
            "A channel (key 6) is \(kind.withArticle), not \(CBOR.Kind.unsignedInteger.withArticle)"
        case .expired(let age, let limit):
            "The code is \(age.components.seconds) s old, and the limit is \(limit.components.seconds) s"
        case .fromTheFuture(let lead): "The code's time (key 3) is \(lead.components.seconds) s in the future"
        }
    }

    private var remedy: String {
        switch self {
        case .notAFIDOCode, .empty: "Scan the code that a browser shows for \"use a phone\""
        case .tooLong, .notADigit, .impossibleLength, .outOfRange:
            "Copy the whole text of the code, without other characters"
        case .malformed, .trailingBytes, .notAMap, .missing, .wrongType, .numberTooLarge, .channelNotANumber:
            "Report the code to the maker of the program that shows it"
        case .uncompressedKey, .keyLength: "Show a compressed X9.62 point of \(HybridPublicKey.compressedLength) bytes"
        case .pointNotOnCurve: "Show the compressed X9.62 form of a P-256 public key"
        case .secretLength: "Show a secret of \(QRContents.secretLength) bytes"
        case .expired: "Start the ceremony again, and scan the new code"
        case .fromTheFuture: "Set the clocks of both devices"
        }
    }
}

extension CBOR.Kind {
    /// The name with its indefinite article.
    var withArticle: String { ("aeiu".contains(rawValue.prefix(1)) ? "an " : "a ") + rawValue }
}
