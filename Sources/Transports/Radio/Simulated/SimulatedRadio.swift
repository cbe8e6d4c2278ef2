/// A radio that hears the other radios of its ``SimulatedAir``, and not itself.
package struct SimulatedRadio: AdvertChannel {
    let air: SimulatedAir
    let number: Int

    /// The conditions; nil after closing.
    package var conditions: RadioConditions? { air.conditions(of: number) }

    /// Changes the conditions, also for adverts on the air.
    package func setConditions(_ conditions: RadioConditions) { air.setConditions(conditions, of: number) }

    package func broadcast(_ advert: Advert) async throws(RadioError) -> AdvertBroadcast {
        try air.broadcast(advert, from: number)
    }

    package func adverts() async throws(RadioError) -> AsyncStream<Advert> { try air.adverts(for: number) }

    /// Ends the radio's broadcasts and streams.
    package func close() { air.remove(number) }
}
