package import Causes

/// One row of the table: a cause, and what it looks like through every interface.
package struct PlatformErrorRow: Hashable, Sendable {
    /// The cause's stable name: a label of the user-verification gate, of a refusal, or one an app alone meets.
    package let cause: Cause
    /// Other names of the same.
    package let aliases: [Cause]
    /// One line about what happened.
    package let meaning: String
    /// Who is the first to know, such as `gate`, `storage`, `ceremony`, `pin`, `app` or `hint`.
    package let group: String
    /// What it looks like, in the order of the interfaces.
    package let cells: [PlatformErrorCell]
}

/// One cell of the table, or the part of it that holds on some platforms, for some operations or by some choice.
package struct PlatformErrorCell: Hashable, Sendable {
    /// The interface's name in the table.
    package let interface: String
    /// Where it looks like this.
    package let platforms: Set<Platform>
    /// What has to be asked for it to look like this; all that the interface knows unless the cell says otherwise.
    package let operations: Set<PlatformOperation>
    /// What a profile has to have chosen, by setting.
    package let choices: [String: String]
    /// The code.
    package let code: PlatformErrorCode
    /// Whether no public source confirms this.
    package let isUnverified: Bool
    /// What else there is to know.
    package let note: String?
    /// Where it is from, as keys of ``PlatformErrorTable/sources``.
    package let sources: [String]
}

/// Something public sources disagree about, so that a profile has to choose.
package struct PlatformErrorSetting: Hashable, Sendable {
    /// One of the answers.
    package struct Variant: Hashable, Sendable {
        package let name: String
        package let about: String
        package let sources: [String]
    }

    /// The key under `faces:` in a profile.
    package let name: String
    /// The question.
    package let about: String
    /// The answers; the first is the one of profiles that do not choose.
    package let variants: [Variant]
}
