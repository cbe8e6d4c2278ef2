/// One row of the table: a cause, and what it looks like through every interface.
public struct FaceOutcome: Hashable, Sendable {
    /// The cause's stable name: a label of the user-verification gate, of a refusal, or one an app alone meets.
    public let cause: String
    /// Other names of the same.
    public let aliases: [String]
    /// One line about what happened.
    public let meaning: String
    /// Who is the first to know, such as `gate`, `storage`, `ceremony`, `pin`, `app` or `hint`.
    public let group: String
    /// What it looks like, in the order of the layers.
    public let entries: [FaceEntry]
}

/// One cell of the table, or the part of it that holds on some platforms, for some operations or by some choice.
public struct FaceEntry: Hashable, Sendable {
    /// The interface's name in the table.
    public let layer: String
    /// Where it looks like this.
    public let platforms: Set<Platform>
    /// What has to be asked for it to look like this; all that the interface knows unless the cell says otherwise.
    public let operations: Set<FaceOperation>
    /// What a profile has to have chosen, by setting.
    public let choices: [String: String]
    /// The code.
    public let code: FaceCode
    /// Whether no public source confirms this.
    public let isUnverified: Bool
    /// What else there is to know.
    public let note: String?
    /// Where it is from, as keys of ``FaceTable/sources``.
    public let sources: [String]
}

/// Something public sources disagree about, so that a profile has to choose.
public struct FaceSetting: Hashable, Sendable {
    /// One of the answers.
    public struct Variant: Hashable, Sendable {
        public let name: String
        public let about: String
        public let sources: [String]
    }

    /// The key under `faces:` in a profile.
    public let name: String
    /// The question.
    public let about: String
    /// The answers; the first is the one of profiles that do not choose.
    public let variants: [Variant]
}
