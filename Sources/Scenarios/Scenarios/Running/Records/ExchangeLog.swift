internal import RelyingPartyServer
internal import Synchronization

/// The exchanges with the relying party, by the step that made them.
final class ExchangeLog: Sendable {
    private let exchanges = Mutex<[Int?: [RelyingPartyExchange]]>([:])

    func note(_ exchange: RelyingPartyExchange) {
        exchanges.withLock { $0[Turns.lane?.number, default: []].append(exchange) }
    }

    /// The exchanges of the current step since the last call.
    func take() -> [RelyingPartyExchange] { exchanges.withLock { $0.removeValue(forKey: Turns.lane?.number) ?? [] } }
}
