internal import Foundation
package import Hummingbird

/// The fields of a form or a query (URL Standard §5).
package struct FormFields: Sendable {
    package let values: [String: String]

    /// Reads `name=value&name=value`.
    ///
    /// - Throws: `form.malformed` for invalid percent encoding, and `form.repeated` for a name that occurs twice:
    ///   RFC 6749 §3.1 allows each parameter once.
    package init(_ text: some StringProtocol) throws(APIError) {
        var values: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(parts[0]), let value = parts.count == 2 ? Self.decoded(parts[1]) : ""
            else { throw .formMalformed }
            guard values.updateValue(value, forKey: name) == nil else { throw .formRepeated(name) }
        }
        self.values = values
    }

    package init(queryOf request: Request) throws(APIError) { try self.init(request.uri.query ?? "") }

    /// The fields of a request's body, which must be declared as a form.
    package static func read(of request: Request) async throws -> FormFields {
        let bytes = try await JSONBody.content(of: request, declaredAs: ["application/x-www-form-urlencoded"])
        guard let text = String(bytes: bytes, encoding: .utf8) else { throw APIError.formMalformed }
        return try FormFields(text)
    }

    package subscript(name: String) -> String? { values[name] }

    private static func decoded(_ text: some StringProtocol) -> String? {
        text.replacingOccurrences(of: "+", with: " ").removingPercentEncoding
    }
}

extension APIError {
    static let formMalformed = APIError(400, "form.malformed", "The form or query is not valid percent encoding.")

    static func formRepeated(_ name: String) -> APIError {
        APIError(400, "form.repeated", "The parameter “\(name)” occurs twice; send it once.")
    }
}
