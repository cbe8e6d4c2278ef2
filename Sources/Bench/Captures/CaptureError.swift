internal import Documents

/// The reason a file is no captured response that can be verified.
package struct CaptureError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    /// Reads JSON, and describes an error by its place.
    ///
    /// - Parameter whole: the name of the whole text.
    static func reading<Value>(_ whole: String, _ read: () throws -> Value) throws(CaptureError) -> Value {
        do {
            return try read()
        } catch let error as DecodingError {
            throw CaptureError(JSONProblem.words(error, whole: whole))
        } catch {
            throw CaptureError("\(whole): \(error)")
        }
    }
}
