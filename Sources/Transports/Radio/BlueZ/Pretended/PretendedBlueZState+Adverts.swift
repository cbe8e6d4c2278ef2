// The adverts on the air, and their registrations.
extension PretendedBlueZState {
    /// Puts an advert on the air; returns its number.
    mutating func transmit(_ advert: Advert, isForeign: Bool = false) -> Int {
        lastNumber += 1
        let address = advert.address ?? BluetoothAddress.random(using: &generator)
        transmissions[lastNumber] = Transmission(advert: advert, address: address, isForeign: isForeign)
        refresh()
        return lastNumber
    }

    mutating func endTransmission(_ number: Int) {
        transmissions[number] = nil
        refresh()
    }

    /// The registration of a client's advert, whose content is not known yet.
    mutating func register(_ registration: Registration) throws(BusRefusal) {
        try requirePower()
        guard registrations[registration] == nil else { throw BlueZ.refusal("AlreadyExists", "Already Exists") }
        guard registrations.count < PretendedAdapter.mostAdverts else {
            throw BlueZ.refusal("NotPermitted", "Maximum advertisements reached")
        }
        registrations[registration] = []
        countAdverts()
    }

    /// Puts a registered advert on the air; returns false when the registration has ended meanwhile.
    mutating func complete(_ registration: Registration, with adverts: [Advert]) -> Bool {
        guard registrations[registration] != nil else { return false }
        registrations[registration] = adverts.map { transmit($0, isForeign: true) }
        return true
    }

    mutating func unregister(_ registration: Registration) throws(BusRefusal) {
        guard registrations[registration] != nil else { throw BlueZ.refusal("DoesNotExist", "Does Not Exist") }
        remove(registration)
        refresh()
    }

    mutating func remove(_ registration: Registration) {
        for number in registrations.removeValue(forKey: registration) ?? [] { transmissions[number] = nil }
        countAdverts()
    }

    private mutating func countAdverts() {
        let count = registrations.count
        change { $0.activeAdverts = count }
    }
}
