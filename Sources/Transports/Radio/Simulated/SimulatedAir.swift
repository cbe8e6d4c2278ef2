internal import Synchronization

/// The air that simulated radios of a process share.
///
/// A listener hears each broadcast once, at the first transmission that is in reach and not lost. A broadcast is transmitted
/// when it starts, when a listener starts, when a radio comes into reach, and after each interval.
package final class SimulatedAir: Sendable {
    private struct Broadcast {
        let advert: Advert
        let radio: Int
        /// The listeners that have heard it.
        var heard: Set<Int> = []
    }

    private struct Listener {
        let radio: Int
        let adverts: AsyncStream<Advert>.Continuation
    }

    private struct State {
        var lastNumber = 0
        var radios: [Int: RadioConditions] = [:]
        var broadcasts: [Int: Broadcast] = [:]
        var listeners: [Int: Listener] = [:]

        mutating func number() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    /// One transmission to one listener.
    private struct Arrival: Sendable {
        let advert: Advert
        let latency: Duration
        let adverts: AsyncStream<Advert>.Continuation
    }

    private let environment: RadioEnvironment
    private let state = Mutex(State())

    package init(environment: RadioEnvironment) { self.environment = environment }

    /// A new radio in this air.
    package func radio(_ conditions: RadioConditions = RadioConditions()) -> SimulatedRadio {
        let number = state.withLock { state in
            let number = state.number()
            state.radios[number] = conditions
            return number
        }
        return SimulatedRadio(air: self, number: number)
    }

    func conditions(of radio: Int) -> RadioConditions? { state.withLock { $0.radios[radio] } }

    func setConditions(_ conditions: RadioConditions, of radio: Int) {
        let isKnown = state.withLock { state in
            guard state.radios[radio] != nil else { return false }
            state.radios[radio] = conditions
            return true
        }
        if isKnown { transmitAll() }
    }

    func remove(_ radio: Int) {
        let listeners = state.withLock { state in
            state.radios[radio] = nil
            state.broadcasts = state.broadcasts.filter { $0.value.radio != radio }
            return state.listeners.values.filter { $0.radio == radio }
        }
        // The end of a stream removes its listener, and the lock is free for it here.
        for listener in listeners { listener.adverts.finish() }
    }

    func broadcast(_ advert: Advert, from radio: Int) throws(RadioError) -> AdvertBroadcast {
        let number = state.withLock { state -> Int? in
            guard state.radios[radio] != nil else { return nil }
            let number = state.number()
            state.broadcasts[number] = Broadcast(advert: advert, radio: radio)
            return number
        }
        guard let number else { throw .closed }
        transmit(number)
        let repetition = Task {
            while let interval = interval(of: number) {
                try await environment.sleep(interval)
                transmit(number)
            }
        }
        return AdvertBroadcast {
            repetition.cancel()
            self.state.withLock { $0.broadcasts[number] = nil }
        }
    }

    func adverts(for radio: Int) throws(RadioError) -> AsyncStream<Advert> {
        let (stream, adverts) = AsyncStream.makeStream(of: Advert.self)
        let number = state.withLock { state -> Int? in
            guard state.radios[radio] != nil else { return nil }
            let number = state.number()
            state.listeners[number] = Listener(radio: radio, adverts: adverts)
            return number
        }
        guard let number else { throw .closed }
        adverts.onTermination = { _ in self.state.withLock { _ = $0.listeners.removeValue(forKey: number) } }
        transmitAll()
        return stream
    }

    private func interval(of broadcast: Int) -> Duration? {
        state.withLock { state in state.broadcasts[broadcast].flatMap { state.radios[$0.radio]?.interval } }
    }

    private func transmitAll() {
        for number in state.withLock({ $0.broadcasts.keys.sorted() }) { transmit(number) }
    }

    /// Transmits a broadcast once, to the listeners that have not heard it.
    private func transmit(_ number: Int) {
        let arrivals = state.withLock { state -> [Arrival] in
            guard var broadcast = state.broadcasts[number], let sender = state.radios[broadcast.radio],
                sender.isInReach
            else { return [] }
            var arrivals: [Arrival] = []
            for (key, listener) in state.listeners.sorted(by: { $0.key < $1.key }) {
                guard listener.radio != broadcast.radio, !broadcast.heard.contains(key),
                    let receiver = state.radios[listener.radio], receiver.isInReach,
                    !environment.loses(sender.loss), !environment.loses(receiver.loss)
                else { continue }
                broadcast.heard.insert(key)
                let latency = sender.latency + receiver.latency
                arrivals.append(Arrival(advert: broadcast.advert, latency: latency, adverts: listener.adverts))
            }
            state.broadcasts[number] = broadcast
            return arrivals
        }
        for arrival in arrivals { deliver(arrival) }
    }

    private func deliver(_ arrival: Arrival) {
        guard arrival.latency > .zero else {
            arrival.adverts.yield(arrival.advert)
            return
        }
        Task {
            try await environment.sleep(arrival.latency)
            arrival.adverts.yield(arrival.advert)
        }
    }
}
