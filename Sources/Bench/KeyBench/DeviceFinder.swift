internal import COSE
package import DeviceProfiles
internal import SecurityKeys
internal import SimulatedDevice
internal import VirtualAuthenticator

/// Finds the devices that selectors name.
package struct DeviceFinder: Sendable {
    private let profiles: @Sendable (String) throws -> DeviceProfile
    private let seed: UInt64?

    /// - Parameters:
    ///   - seed: what the randomness of virtual devices follows from, signatures included; nil for the system's.
    ///   - profiles: finds a profile by its name, or reads its file.
    package init(seed: UInt64? = nil, profiles: @escaping @Sendable (String) throws -> DeviceProfile) {
        self.seed = seed
        self.profiles = profiles
    }

    /// Every key that is here: on USB and on readers.
    package func all() async throws -> [BenchDevice] {
        // A machine without pcscd has no key on a reader.
        try usbKeys() + ((try? await readers()) ?? [])
    }

    /// The devices a selector names; several when it does not say which.
    ///
    /// - Throws: ``KeyBenchError`` when there is none, or the profile's error.
    package func devices(_ selector: DeviceSelector) async throws -> [BenchDevice] {
        switch selector {
        case .virtual(let name):
            let profile = try profiles(name)
            let time = SystemTime()
            let device = SimulatedDevice(
                profile: profile, time: time, random: seed.map(SeededRandomSource.init) ?? SystemRandomSource(),
                person: ControlledPerson(habit: .auto, waitUntil: SystemTime.wait),
                signing: seed == nil ? .randomized : .deterministic, wait: SystemTime.wait)
            return [BenchDevice(selector: selector, title: profile.title, place: .virtual(device))]
        case .usb(let wanted):
            let keys = try usbKeys().filter { $0.isUSBKey(wanted) }
            guard !keys.isEmpty else {
                throw KeyBenchError.notThere(
                    wanted.map { "there is no security key usb:\($0); `touchstone keys list` names those there are" }
                        ?? """
                        no security key is plugged in, or none may be used: hardware/70-touchstone.rules lets you use \
                        them without root
                        """)
            }
            return keys
        case .nfc(let wanted):
            let readers = try await readers().filter { wanted.map($0.title.contains) ?? true }
            guard !readers.isEmpty else {
                throw KeyBenchError.notThere(
                    "no card lies on " + (wanted.map { "a reader \($0)" } ?? "any reader") + ": lay the key on it")
            }
            return readers
        case .udp(let host, let port):
            return [BenchDevice(selector: selector, title: "\(host):\(port)", place: .udp(host: host, port: port))]
        }
    }

    /// The readers on which something lies, which may be a key.
    private func readers() async throws -> [BenchDevice] {
        try await PCSCReader.all().filter(\.hasCard).map { reader in
            BenchDevice(selector: .nfc(reader.name), title: reader.name, place: .nfc(reader: reader.name))
        }
    }

    private func usbKeys() throws -> [BenchDevice] {
        let keys = try USBKey.all()
        return keys.map { key in
            // The path may be another key's after the next plugging in; the place is this socket's.
            let isUnique = keys.count { $0.place == key.place } == 1
            let place = isUnique ? key.place : nil
            return BenchDevice(selector: .usb(place ?? key.path), title: key.name, place: .usb(key))
        }
    }
}

extension BenchDevice {
    /// Whether a selector's text means this key on USB.
    fileprivate func isUSBKey(_ wanted: String?) -> Bool {
        guard case .usb(let key) = place else { return false }
        return wanted.map { [key.path, key.place, usbID].contains($0) } ?? true
    }
}
