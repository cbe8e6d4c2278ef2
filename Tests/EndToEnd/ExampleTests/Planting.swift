import Synchronization
import Testing

/// Plants bugs in the app, and runs tests.
@MainActor
enum Planting {
    typealias Test = (title: String, body: @MainActor () async throws -> Void)

    /// The title of the first test that notices a bug; nil when none does.
    static func firstNotice(of bug: String?, by tests: [Test]) async throws -> String? {
        for test in tests where try await fails(test.body, with: bug) { return test.title }
        return nil
    }

    /// Runs a test with a bug; its issues stay out of those of the running test.
    private static func fails(
        _ body: @escaping @MainActor () async throws -> Void, with bug: String?
    ) async throws -> Bool {
        let running = try #require(Testing.Test.current)
        let hasFailed = Flag()
        let silence = IssueHandlingTrait.compactMapIssues { _ in
            hasFailed.raise()
            return nil
        }
        try await silence.provideScope(for: running, testCase: Testing.Test.Case.current) {
            do {
                try await Flaw.$planted.withValue(bug) { try await body() }
            } catch {
                hasFailed.raise()
            }
        }
        return hasFailed.isRaised
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)

        var isRaised: Bool { value.withLock(\.self) }

        func raise() { value.withLock { $0 = true } }
    }
}
