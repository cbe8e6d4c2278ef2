internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The reason a step could not be played to its end, as opposed to a refusal, which a scenario may expect.
struct PlaybackError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Describes any error.
    init(_ error: any Error) {
        let sentence = (error as? URLError).map { "the relying party cannot be reached: \($0.localizedDescription)" }
        description = sentence ?? "\(error)"
    }
}
