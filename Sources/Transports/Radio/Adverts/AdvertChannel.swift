/// A radio that broadcasts adverts and hears those of others.
package protocol AdvertChannel: Sendable {
    /// Broadcasts an advert until the broadcast ends.
    ///
    /// - Throws: ``RadioError`` when the radio cannot broadcast.
    func broadcast(_ advert: Advert) async throws(RadioError) -> AdvertBroadcast

    /// The adverts that are heard from now on, with those on the air.
    ///
    /// The stream ends with the radio. The radio stops listening for a stream when its reader ends.
    ///
    /// - Throws: ``RadioError`` when the radio cannot listen.
    func adverts() async throws(RadioError) -> AsyncStream<Advert>
}

extension AdvertChannel {
    /// Broadcasts an advert for as long as `use` runs.
    package func broadcasting<Result>(_ advert: Advert, _ use: () async throws -> Result) async throws -> Result {
        let broadcast = try await broadcast(advert)
        do {
            let result = try await use()
            await broadcast.end()
            return result
        } catch {
            await broadcast.end()
            throw error
        }
    }
}
