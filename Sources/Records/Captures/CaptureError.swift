internal import Documents

/// The reason why a file cannot be verified as a captured response.
package struct CaptureError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    /// Reads JSON; an error names its place in the whole text, or under the member of the file that it is.
    ///
    /// - Parameter bytes: the text as the user wrote it, for line and column.
    static func reading<Value>(
        _ whole: String, under member: String? = nil, in bytes: [UInt8]? = nil, _ read: () throws -> Value
    ) throws(CaptureError) -> Value {
        do {
            return try read()
        } catch let error as DecodingError {
            throw CaptureError(JSONProblem.words(error, whole: whole, under: member, in: bytes))
        } catch {
            throw CaptureError("\(whole): \(error)")
        }
    }
}
