/// Runs `work`, then `close`, also when `work` throws.
package func closing<Result: Sendable>(
    _ close: () async -> Void, _ work: () async throws -> Result
) async throws -> Result {
    do {
        let result = try await work()
        await close()
        return result
    } catch {
        await close()
        throw error
    }
}
