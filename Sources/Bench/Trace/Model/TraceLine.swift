internal import Foundation

/// Encodes records as lines, and decodes them.
package enum TraceLine {
    /// The record as one line of JSON, without the line feed; its keys are sorted.
    package static func encode(_ record: TraceRecord) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(record))
    }

    /// Reads one line.
    ///
    /// - Throws: ``TraceFormatError``.
    package static func decode(_ line: some Sequence<UInt8>) throws(TraceFormatError) -> TraceRecord {
        do {
            return try JSONDecoder().decode(TraceRecord.self, from: Data(line))
        } catch let error as TraceFormatError {
            throw error
        } catch let error as DecodingError {
            if case .dataCorrupted(let context) = error, context.codingPath.isEmpty { throw .notJSON }
            throw TraceFormatError(words(error))
        } catch {
            throw TraceFormatError("\(error)")
        }
    }

    private static func words(_ error: DecodingError) -> String {
        func place(_ path: [any CodingKey]) -> String {
            let names = path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
            return names.isEmpty ? "the line" : "`\(names.drop { $0 == "." })`"
        }
        switch error {
        case .dataCorrupted(let context): return "\(place(context.codingPath)): \(context.debugDescription)"
        case .keyNotFound(let key, let context): return "\(place(context.codingPath + [key])) is missing"
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            return "\(place(context.codingPath)) is not \(noun(type))"
        @unknown default: return "the line is not a record"
        }
    }

    private static func noun(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is Int.Type, is Double.Type: "a number"
        default: "the object or array of the schema"
        }
    }
}
