#if DEBUG
    internal import Glibc
    internal import Synchronization

    /// The mutation of this process.
    package enum ActiveMutation {
        /// The environment variable that names it.
        package static let variable = "TOUCHSTONE_MUTATION"

        /// Its identifier; nil for none.
        package static var identifier: String? { chosen.withLock(\.self) ?? named }

        /// The one that the environment names.
        ///
        /// It is read once, so that a process behaves the same way to its end.
        private static let named = getenv(variable).map { String(cString: $0) }

        /// The one that a test has chosen.
        private static let chosen = Mutex<String?>(nil)

        /// Makes one change for as long as an action of a test lasts.
        ///
        /// The change holds for the whole process. A test that uses this belongs to a serialized suite in a target that runs
        /// alone.
        package static func during<Result>(
            _ identifier: String, isolation: isolated (any Actor)? = #isolation,
            perform action: () async throws -> Result
        ) async rethrows -> Result {
            chosen.withLock { $0 = identifier }
            defer { chosen.withLock { $0 = nil } }
            return try await action()
        }
    }
#endif
