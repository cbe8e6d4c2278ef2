internal import Documents
internal import Foundation

/// Encodes records as lines, and decodes them.
package enum TraceLine {
    /// The record as one line of JSON, without the line feed; its keys are sorted.
    package static func encode(_ record: TraceRecord) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(record))
    }

    package static func decode(_ line: some Sequence<UInt8>) throws(TraceFormatError) -> TraceRecord {
        do {
            return try JSONDecoder().decode(TraceRecord.self, from: Data(line))
        } catch let error as TraceFormatError {
            throw error
        } catch let error as DecodingError {
            if case .dataCorrupted(let context) = error, context.codingPath.isEmpty { throw .notJSON }
            throw TraceFormatError(JSONProblem.words(error, whole: "the line"))
        } catch {
            throw TraceFormatError("\(error)")
        }
    }
}
