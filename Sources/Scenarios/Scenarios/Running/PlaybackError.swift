internal import LoopbackHTTP

/// The reason a step could not be played to its end, as opposed to a refusal, which a scenario may expect.
struct PlaybackError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    init(_ error: any Error) {
        let sentence = (error as? LoopbackClientError).map { "the relying party cannot be reached: \($0)" }
        description = sentence ?? "\(error)"
    }
}
