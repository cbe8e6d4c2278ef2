/// The bug that is planted in the app of the running task.
enum Flaw {
    /// The name of the bug; nil for none.
    @TaskLocal static var planted: String?

    /// Whether a bug is planted; the app's sources ask it at the place of each bug.
    static func isPlanted(_ name: String) -> Bool { planted == name }
}

/// A bug of the tables in `Bugs`.
struct PlantedBug: Sendable {
    let name: String
    /// Whether the tests on fakes notice it, as its table says.
    let isNoticedByFakes: Bool
}
