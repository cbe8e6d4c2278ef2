/// The place of an error in JSON, and the mistake.
package enum JSONProblem {
    /// Describes an error of `JSONDecoder`, in a text with a name such as "the line" or under a member that holds it.
    package static func words(_ error: DecodingError, whole: String, under member: String? = nil) -> String {
        func place(_ path: [any CodingKey]) -> String {
            let names =
                (path.isEmpty ? "" : member ?? "")
                + path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
            return names.isEmpty ? whole : "`\(names.drop { $0 == "." })`"
        }
        switch error {
        case .dataCorrupted(let context) where context.codingPath.isEmpty: return "\(whole) is not JSON"
        case .dataCorrupted(let context): return "\(place(context.codingPath)): \(context.debugDescription)"
        case .keyNotFound(let key, let context): return "\(place(context.codingPath + [key])) is missing"
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            return "\(place(context.codingPath)) is not \(noun(type))"
        @unknown default: return "\(whole) has an unexpected form"
        }
    }

    private static func noun(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type, is any BinaryFloatingPoint.Type: "a number"
        default: "the object or array that is expected"
        }
    }
}
