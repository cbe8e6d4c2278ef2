internal import Biometrics
internal import Documents
internal import Wording

extension YAMLFields {
    /// Checks a policy, and states its error in the words of the file, at the line of the wrong number.
    func restating(_ validate: () throws -> Void) throws {
        do {
            try validate()
        } catch let error as GatePolicyError {
            let values = error.fields.compactMap { self[$0.hyphenated] }
            // If two values contradict each other, the error names the profile's own value, not the inherited one.
            let place = values.first { $0.file == owner.file } ?? values.first ?? owner
            let text = (owner.path.isEmpty ? "" : "\(owner.path): ") + error.sentence(naming: \.hyphenated)
            throw place.source.error(text)
        }
    }
}
