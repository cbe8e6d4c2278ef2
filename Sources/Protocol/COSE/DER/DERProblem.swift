internal import SwiftASN1

/// The reasons that bytes have no valid form in DER, in words.
///
/// The library's own descriptions name positions in its sources.
package enum DERProblem {
    /// A sentence's end, such as "an element ends early".
    package static func words(_ error: any Error) -> String {
        guard let error = error as? ASN1Error else { return "a value in it is not valid" }
        return words[error.code] ?? "a value in it is not valid"
    }

    private static let words: [ASN1Error.ErrorCode: String] = [
        .unexpectedFieldType: "an element has another type than its place demands",
        .invalidASN1Object: "an element is missing, surplus or malformed",
        .invalidASN1IntegerEncoding: "an integer is not in its shortest form",
        .truncatedASN1Field: "an element ends early",
        .unsupportedFieldLength: "a length is not in DER's form",
        .invalidPEMDocument: "its marks or its base64 are not valid",
        .invalidStringRepresentation: "a text has characters that its type does not allow",
        .tooFewOIDComponents: "an object identifier has fewer than two components",
    ]
}
