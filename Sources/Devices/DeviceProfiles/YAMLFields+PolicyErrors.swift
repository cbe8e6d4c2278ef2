internal import Biometrics
internal import Documents

extension YAMLFields {
    /// What a policy had to say against its numbers, in the words of the file and with the line of the number that is
    /// wrong; what was wrong with one of them by itself stays as it is.
    func told(_ error: any Error) -> SourceError {
        if let error = error as? SourceError { return error }
        let values = ((error as? GatePolicyError)?.keys ?? []).compactMap { self[$0] }
        // Of two that do not go together the profile's own is wrong, not the one it took from its base.
        let place = values.first { $0.file == owner.file } ?? values.first ?? owner
        let text = owner.path.isEmpty ? words(error) : "\(owner.path): \(words(error))"
        return SourceError(file: place.file, line: place.line, message: text)
    }

    private func words(_ error: any Error) -> String {
        var text = "\(error)"
        if self["timed-every"] == nil { text = text.replacing("timedLockoutEvery", with: "timed-at") }
        for (field, key) in GatePolicyError.fieldKeys { text = text.replacing(field, with: key) }
        return text
    }
}

extension GatePolicyError {
    /// What the fields of policies are called in a file.
    fileprivate static let fieldKeys = [
        ("timedLockoutEvery", "timed-every"), ("timedLockoutAt", "timed-at"),
        ("timedLockoutDuration", "timed-duration"), ("permanentLockoutAt", "permanent-at"),
        ("attemptsPerPrompt", "attempts-per-prompt"), ("fallbackOfferedAfter", "fallback-offered-after"),
        ("credentialAttemptsPerPrompt", "credential-attempts-per-prompt"), ("promptTimeout", "prompt-timeout"),
        ("sinceCredential", "since-credential"), ("sinceUnlock", "since-unlock"),
        ("sinceBiometric", "since-biometric"), ("permanentAt", "permanent-at"),
    ]

    /// The keys it is about, the likeliest to be wrong first.
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
