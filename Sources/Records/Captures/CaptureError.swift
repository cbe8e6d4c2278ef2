internal import Documents

/// The reason why a file cannot be verified as a captured response.
package struct CaptureError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    /// Reads JSON, and describes an error by its place.
    ///
    /// - Parameters:
    ///   - whole: the name of the whole text.
    ///   - member: the member of the file that it is; nil for a file of its own.
    static func reading<Value>(
        _ whole: String, under member: String? = nil, _ read: () throws -> Value
    ) throws(CaptureError) -> Value {
        do {
            return try read()
        } catch let error as DecodingError {
            throw CaptureError(JSONProblem.words(error, whole: whole, under: member))
        } catch {
            throw CaptureError("\(whole): \(error)")
        }
    }
}
