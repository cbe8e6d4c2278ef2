internal import Biometrics
internal import Documents

extension YAMLFields {
    /// Checks a policy, and states its error in the words of the file, at the line of the wrong number.
    func restating(_ validate: () throws -> Void) throws {
        do {
            try validate()
        } catch let error as GatePolicyError {
            throw restated(error)
        }
    }

    private func restated(_ error: GatePolicyError) -> SourceError {
        let values = error.keys.compactMap { self[$0] }
        // Of two values that contradict each other, the profile's own is wrong, not the inherited one.
        let place = values.first { $0.file == owner.file } ?? values.first ?? owner
        let text = owner.path.isEmpty ? words(error) : "\(owner.path): \(words(error))"
        return SourceError(file: place.file, line: place.line, message: text)
    }

    private func words(_ error: GatePolicyError) -> String {
        var text = "\(error)"
        if self["timed-every"] == nil { text = text.replacing("timedLockoutEvery", with: "timed-at") }
        for (field, key) in GatePolicyError.fieldKeys { text = text.replacing(field, with: key) }
        return text
    }
}

extension GatePolicyError {
    /// The keys of the policies' fields.
    fileprivate static let fieldKeys = [
        ("timedLockoutEvery", "timed-every"), ("timedLockoutAt", "timed-at"),
        ("timedLockoutDuration", "timed-duration"), ("permanentLockoutAt", "permanent-at"),
        ("attemptsPerPrompt", "attempts-per-prompt"), ("fallbackOfferedAfter", "fallback-offered-after"),
        ("credentialAttemptsPerPrompt", "credential-attempts-per-prompt"), ("promptTimeout", "prompt-timeout"),
        ("sinceCredential", "since-credential"), ("sinceUnlock", "since-unlock"),
        ("sinceBiometric", "since-biometric"), ("permanentAt", "permanent-at"),
    ]

    /// The keys the error is about, the likeliest mistake first.
    fileprivate var keys: [String] {
        switch self {
        case .limitTooLow(let field, _, _), .durationOutOfRange(let field), .notAscending(let field):
            [Self.fieldKeys.first { $0.0 == field }?.1 ?? field]
        case .permanentLockoutOutOfRange: ["permanent-at"]
        case .timedLockoutAfterPermanent: ["timed-every", "timed-at", "permanent-at"]
        case .fallbackNeverOffered: ["fallback-offered-after", "attempts-per-prompt"]
        case .contradiction: ["timed-at", "timed-every"]
        case .emptyRule: []
        }
    }
}
