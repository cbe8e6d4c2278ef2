internal import CTAPHybrid

/// The state of a client of BlueZ: the listeners, and the adverts that it broadcasts.
struct BlueZClientState: Sendable {
    private struct Listener {
        let adverts: AsyncStream<Advert>.Continuation
        /// The adverts that it has heard, by the path of their device.
        var heard: [String: Set<HeardAdvert>] = [:]
    }

    /// The part of an advert that does not change while it is on the air.
    private struct HeardAdvert: Hashable {
        let service: HybridService
        let serviceData: [UInt8]
    }

    /// The most devices, and the most adverts of one, that a listener remembers.
    private static let mostRemembered = 256
    private static let ownPath = "/touchstone/advert"

    let adapterPath: String
    /// The unique name of BlueZ, the only sender whose signals count.
    let owner: String
    private var lastNumber = 0
    private var listeners: [Int: Listener] = [:]
    private var own: [String: Advert] = [:]
    private(set) var hasEnded = false

    init(adapterPath: String, owner: String) {
        self.adapterPath = adapterPath
        self.owner = owner
    }

    var isListening: Bool { !listeners.isEmpty }

    mutating func addListener(_ adverts: AsyncStream<Advert>.Continuation) -> Int? {
        guard !hasEnded else { return nil }
        lastNumber += 1
        listeners[lastNumber] = Listener(adverts: adverts)
        return lastNumber
    }

    /// Removes a listener; returns whether it was the last one.
    mutating func removeListener(_ number: Int) -> Bool {
        listeners.removeValue(forKey: number) != nil && listeners.isEmpty
    }

    /// Removes all listeners, whose streams the caller finishes.
    mutating func takeListeners() -> [AsyncStream<Advert>.Continuation] {
        defer { listeners = [:] }
        return listeners.values.map(\.adverts)
    }

    /// Ends the client; no listener starts any more.
    mutating func end() -> [AsyncStream<Advert>.Continuation] {
        hasEnded = true
        own = [:]
        return takeListeners()
    }

    /// Hands adverts of a device to the listeners that have not heard them.
    mutating func hear(_ adverts: [Advert], from path: String) {
        guard path.hasPrefix(adapterPath + "/") else { return }
        for advert in adverts {
            let heard = HeardAdvert(service: advert.service, serviceData: advert.serviceData)
            for number in listeners.keys.sorted() {
                guard var listener = listeners[number], listener.heard[path]?.contains(heard) != true else { continue }
                if listener.heard.count >= Self.mostRemembered { listener.heard = [:] }
                if listener.heard[path]?.count ?? 0 >= Self.mostRemembered { listener.heard[path] = [] }
                listener.heard[path, default: []].insert(heard)
                listeners[number] = listener
                listener.adverts.yield(advert)
            }
        }
    }

    /// Forgets a device that is out of reach, so that its adverts are heard again.
    mutating func forget(_ path: String) {
        for number in listeners.keys { listeners[number]?.heard[path] = nil }
    }

    /// The path of a new object for an advert.
    mutating func addOwn(_ advert: Advert) -> String {
        lastNumber += 1
        let path = "\(Self.ownPath)\(lastNumber)"
        own[path] = advert
        return path
    }

    /// Removes an advert's object; returns false when BlueZ has released it before.
    @discardableResult mutating func removeOwn(_ path: String) -> Bool { own.removeValue(forKey: path) != nil }

    /// The properties of an advert's object; nil for another path.
    func properties(of path: String) -> [String: BusValue]? {
        own[path].map { advert in
            [
                // Not connectable; the data channel is the tunnel.
                "Type": .string("broadcast"), "ServiceUUIDs": .strings([advert.service.uuid]),
                "ServiceData": .properties([advert.service.uuid: .bytes(advert.serviceData)]),
            ]
        }
    }
}
