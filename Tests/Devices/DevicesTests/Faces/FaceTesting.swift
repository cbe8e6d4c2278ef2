import PlatformErrors
import Testing

/// What the tests of the table ask it.
enum Faces {
    /// The faces of a cause through one interface, as `-8 biometryLockout` or `TYPE_UNKNOWN`.
    static func of(
        _ cause: String, _ layer: String, on platform: Platform, during operation: FaceOperation? = nil,
        choosing choices: [String: String] = [:]
    ) -> [String] {
        FaceVocabulary(platform: platform, choices: choices).faces(of: cause, during: operation)
            .filter { $0.layer == layer }.map(words)
    }

    static func words(_ face: Face) -> String {
        (face.code.map { "\($0) " } ?? "") + face.name
    }

    /// Whether every part of a cell with that name is marked as unverified.
    static func isUnverified(_ cause: String, _ layer: String, on platform: Platform) -> Bool {
        let faces = FaceVocabulary(platform: platform).faces(of: cause).filter { $0.layer == layer }
        return !faces.isEmpty && faces.allSatisfy { $0.unverified == true }
    }

    /// The numbers and names an interface has.
    static func codes(_ layer: String) throws -> [String: Int?] {
        Dictionary(uniqueKeysWithValues: try #require(FaceTable.shared.layer(layer)).codes.map { ($0.name, $0.number) })
    }
}
