internal import Documents
internal import LoopbackHTTP
internal import SimulatedDevice

/// Spans of time in requests, in the syntax of profiles and scenarios.
enum Span {
    static let schema = Schema.string(
        Schema.Text(pattern: "[0-9]{1,8} ?(ms|s|min|h|d)", patternWords: "a span such as “30 s”, in ms, s, min, h or d")
    )

    /// A span by which something moves.
    ///
    /// - Throws: `span.invalid`, also for no time at all.
    static func step(_ text: String) throws(APIError) -> Duration {
        let span = try duration(text)
        guard span > .zero else {
            throw APIError(422, .spanInvalid, "The span “\(text)” has no effect; choose a longer one.")
        }
        return span
    }

    /// - Throws: `span.invalid`.
    static func duration(_ text: String) throws(APIError) -> Duration {
        do {
            return try Duration(span: text)
        } catch {
            throw APIError(422, .spanInvalid, "The span “\(text)” is too long; choose a shorter one.")
        }
    }
}
