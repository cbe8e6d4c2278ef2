/// Works with something that has to be closed, however the work ends.
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
