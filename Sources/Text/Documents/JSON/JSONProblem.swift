/// The place of an error in JSON, and the mistake.
package enum JSONProblem {
    /// Describes an error of `JSONDecoder`, in a text with a name such as "the line" or under a member that holds it.
    ///
    /// - Parameter bytes: the text, for the line and column; nil if it is not the user's.
    package static func words(
        _ error: DecodingError, whole: String, under member: String? = nil, in bytes: [UInt8]? = nil
    ) -> String {
        let place = path(of: error).flatMap { path in bytes.flatMap { JSONPlace(of: path, in: $0) } }
        return words(error, whole, member, bytes) + (place.map { " (\($0))" } ?? "")
    }

    /// The way to the member that an error is about; nil for the whole text.
    private static func path(of error: DecodingError) -> [any CodingKey]? {
        switch error {
        case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
            .valueNotFound(_, let context):
            context.codingPath.isEmpty ? nil : context.codingPath
        @unknown default: nil
        }
    }

    private static func words(_ error: DecodingError, _ whole: String, _ member: String?, _ bytes: [UInt8]?) -> String {
        func place(_ path: [any CodingKey]) -> String {
            let names =
                (path.isEmpty ? "" : member ?? "")
                + path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
            return names.isEmpty ? whole : "`\(names.drop { $0 == "." })`"
        }
        switch error {
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            return "\(whole) is not JSON" + (bytes.flatMap { JSONMistake(in: $0) }.map { "; \($0)" } ?? "")
        case .dataCorrupted(let context): return "\(place(context.codingPath)): \(context.debugDescription)"
        case .keyNotFound(let key, let context): return "\(place(context.codingPath + [key])) is missing"
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            return "\(place(context.codingPath)) is not \(noun(type))"
        @unknown default: return "\(whole) has an unexpected form"
        }
    }

    /// The kind of a type's values, for errors.
    package static func noun(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type, is any BinaryFloatingPoint.Type: "a number"
        default: "the object or array that is expected"
        }
    }
}
