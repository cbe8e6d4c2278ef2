package import Causes

/// One row of the table: a cause and its code at every interface.
package struct PlatformErrorRow: Hashable, Sendable {
    /// The stable name: a label of the user-verification gate, of a refusal, or of an error that only apps receive.
    package let cause: Cause
    package let aliases: [Cause]
    /// The cause's meaning in one line.
    package let meaning: String
    /// The origin of the cause, such as `gate`, `storage`, `ceremony`, `pin`, `app` or `hint`.
    package let group: String
    /// The cells, in the order of the interfaces.
    package let cells: [PlatformErrorCell]
    /// The sentences that mean this cause, by the interface that prints them.
    package let texts: [String: [String]]
}

/// A cell of the table, or the part of a cell for some platforms, operations or choices.
package struct PlatformErrorCell: Hashable, Sendable {
    /// The interface's name in the table.
    package let interface: String
    package let platforms: Set<Platform>
    /// The operations the cell applies to; default: all operations of the interface.
    package let operations: Set<PlatformOperation>
    /// The variants a profile must have chosen, by setting.
    package let choices: [String: String]
    package let code: PlatformErrorCode
    /// Whether no public source confirms the cell.
    package let isUnverified: Bool
    package let note: String?
    /// The sources, as keys of ``PlatformErrorTable/sources``.
    package let sources: [String]
    /// The platform's code that the code stands for; nil for a code that the row itself names.
    let origin: PlatformCodeOrigin?
}

/// A question on which public sources disagree; a profile chooses the answer.
package struct PlatformErrorSetting: Hashable, Sendable {
    package struct Variant: Hashable, Sendable {
        package let name: String
        package let about: String
        package let sources: [String]
    }

    /// The key under `faces:` in a profile.
    package let name: String
    /// The question.
    package let about: String
    /// The answers; default: the first.
    package let variants: [Variant]
}
