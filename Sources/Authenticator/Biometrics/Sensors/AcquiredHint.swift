/// A sensor's hint before a sample, or about one it could not compare.
///
/// These are the acquired codes of Android's framework and of its HALs for fingerprints and faces.
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
    /// Android's poor gaze; with Face ID, a user who does not look at the device.
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
    /// A vendor-specific code.
    case vendor
    /// Capturing begins.
    case start
    /// The first frame was captured.
    case firstFrame
    /// The sensor tries again by itself.
    case retrying

    /// Whether it reports only progress, before any sample.
    public var isProgress: Bool {
        switch self {
        case .start, .firstFrame, .retrying: true
        default: false
        }
    }

    /// The only sensor that reports it, as in the HAL's AcquiredInfo; nil for a hint of both, and for `partial`, which stands
    /// for any bad sample.
    public var modality: BiometricModality? {
        switch self {
        case .tooFast, .tooSlow, .immobile, .retrying: .fingerprint
        case .tooHigh, .tooLow, .tooLeft, .tooRight, .tooClose, .tooFar, .lookedAway, .tooMuchMotion, .recalibrate,
            .tooDifferent, .tooSimilar, .panTooExtreme, .tiltTooExtreme, .rollTooExtreme, .faceObscured, .darkGlasses,
            .mouthCovered, .firstFrame:
            .face
        case .partial, .insufficient, .sensorDirty, .tooDark, .tooBright, .notDetected, .unknown, .vendor, .start: nil
        }
    }
}
