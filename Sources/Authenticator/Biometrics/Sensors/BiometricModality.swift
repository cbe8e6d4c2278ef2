/// The biometric that a sensor measures.
public enum BiometricModality: String, Codable, CaseIterable, Sendable {
    case fingerprint
    case face
    case iris
    case voice
}

/// The strength class of a biometric (Android CDD 7.3.10).
public enum StrengthClass: Int, Codable, CaseIterable, Sendable {
    /// Convenience: unlocks the screen, not offered to apps.
    case class1 = 1
    /// Weak: for prompts, not for keys.
    case class2 = 2
    /// Strong: the only class that may release keys.
    case class3 = 3
}
