package import Documents
internal import Foundation

/// The metadata statement that the vendor gives for the model (FIDO Metadata Statement 3.1).
package struct StatedMetadata: Sendable {
    private let members: [String: JSONValue]

    /// - Throws: `SourceError` for bytes that are not a JSON object.
    package init(_ bytes: [UInt8], file: String) throws(SourceError) {
        do {
            members = try JSONDecoder().decode([String: JSONValue].self, from: Data(bytes))
        } catch let error as DecodingError {
            let problem = JSONProblem.words(error, whole: "the statement", in: bytes)
            throw SourceError(file: file, line: nil, message: "\(problem); give one FIDO metadata statement")
        } catch { throw SourceError(file: file, line: nil, message: "\(error)") }
    }

    package subscript(name: String) -> JSONValue? { members[name] }
}
