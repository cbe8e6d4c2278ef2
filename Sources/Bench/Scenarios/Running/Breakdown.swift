internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What kept a step from being played: not a refusal, which a scenario may expect, but the stage falling apart.
struct Breakdown: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// What was thrown, in words.
    init(_ error: any Error) {
        let sentence = (error as? URLError).map { "the relying party cannot be reached: \($0.localizedDescription)" }
        description = sentence ?? "\(error)"
    }
}
