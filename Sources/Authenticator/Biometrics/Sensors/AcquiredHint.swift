/// A sensor's hint about a sample it could not compare, or before it has one.
///
/// The acquired codes of Android's framework and of its HALs for fingerprints and faces.
public enum AcquiredHint: String, Codable, CaseIterable, Sendable {
    case partial
    case insufficient
    case sensorDirty
    case tooFast
    case tooSlow
    case tooDark
    case tooBright
    case immobile
    case tooHigh
    case tooLow
    case tooLeft
    case tooRight
    case tooClose
    case tooFar
    /// Poor gaze, in Android's words; with Face ID, a face that pays no attention.
    case lookedAway
    case notDetected
    case tooMuchMotion
    case recalibrate
    case tooDifferent
    case tooSimilar
    case panTooExtreme
    case tiltTooExtreme
    case rollTooExtreme
    case faceObscured
    case darkGlasses
    case mouthCovered
    case unknown
    /// A code of the maker's own.
    case vendor
    /// Capturing begins.
    case start
    /// The first frame has come.
    case firstFrame
    /// The sensor tries again by itself.
    case retrying

    /// Whether it tells of progress only: nothing was presented that could fail.
    public var isProgress: Bool {
        switch self {
        case .start, .firstFrame, .retrying: true
        default: false
        }
    }
}
