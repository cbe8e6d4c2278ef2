internal import COSE
internal import CTAPHybrid
package import DeviceProfiles
internal import HybridLink
internal import MachineNeeds
internal import MachineTime
internal import SecurityKeys
internal import SimulatedDevice
internal import VirtualAuthenticator

/// Finds the devices that selectors name.
package struct DeviceFinder: Sendable {
    private let profiles: @Sendable (String) throws -> DeviceProfile
    private let seed: UInt64?
    private let phones: PhoneSettings

    /// - Parameters:
    ///   - seed: the random seed of virtual devices, whose signatures it makes deterministic; nil for system randomness.
    ///   - phones: the terms for phones over hybrid transport.
    ///   - profiles: finds a profile by its name, or reads its file.
    package init(
        seed: UInt64? = nil, phones: PhoneSettings = PhoneSettings(),
        profiles: @escaping @Sendable (String) throws -> DeviceProfile
    ) {
        self.phones = phones
        self.seed = seed
        self.profiles = profiles
    }

    /// Every connected key: on USB and on readers.
    package func all() async throws -> [BenchDevice] {
        // Without pcscd there are no readers.
        try usbKeys() + ((try? await readers()) ?? [])
    }

    /// - Throws: ``KeyBenchError`` when none matches, or the profile's error.
    package func devices(_ selector: DeviceSelector) async throws -> [BenchDevice] {
        switch selector {
        case .virtual(let name):
            let profile = try profiles(name)
            let time = SystemTime()
            let device = try SimulatedDevice(
                profile: profile, time: time, random: seed.map(SeededRandomSource.init) ?? SystemRandomSource(),
                user: ControlledUser(habit: .auto, waitUntil: SystemTime.wait),
                signing: seed == nil ? .randomized : .deterministic, wait: SystemTime.wait)
            return [BenchDevice(selector: selector, title: profile.title, place: .virtual(device))]
        case .usb(let wanted):
            let keys = try usbKeys().filter { $0.isUSBKey(wanted) }
            guard !keys.isEmpty else {
                throw KeyBenchError.notFound(
                    wanted.map { "there is no security key usb:\($0); `touchstone keys list` lists the connected keys" }
                        ?? MachineUse.usb.pointed(
                            "no security key is plugged in, or this user has no access to it: install the udev rule "
                                + "\(UdevRule.name) for access without root"))
            }
            return keys
        case .nfc(let wanted):
            let readers = try await readers().filter { wanted.map($0.title.contains) ?? true }
            guard !readers.isEmpty else {
                throw KeyBenchError.notFound(
                    "no card was found on " + (wanted.map { "a reader \($0)" } ?? "any reader")
                        + "; put the key on the reader")
            }
            return readers
        case .udp(let host, let port):
            return [BenchDevice(selector: selector, title: "\(host):\(port)", place: .udp(host: host, port: port))]
        case .hybrid(let air):
            return [BenchDevice(selector: selector, title: "a phone", place: .hybrid(phones.phone(air)))]
        case .link(let name):
            do {
                let link = try phones.links.link(name)
                let phone = phones.phone(link.air, link.phone, selector)
                return [BenchDevice(selector: selector, title: link.phone.name, place: .hybrid(phone))]
            } catch {
                throw KeyBenchError.notFound("\(error)")
            }
        }
    }

    /// The readers with a card, which may be a key.
    private func readers() async throws -> [BenchDevice] {
        try await PCSCReader.all().filter(\.hasCard).map { reader in
            BenchDevice(selector: .nfc(reader.name), title: reader.name, place: .nfc(reader: reader.name))
        }
    }

    private func usbKeys() throws -> [BenchDevice] {
        let keys = try USBKey.all()
        return keys.map { key in
            // The path may belong to another key after replugging; the place identifies the USB port.
            let isUnique = keys.count { $0.place == key.place } == 1
            let place = isUnique ? key.place : nil
            return BenchDevice(selector: .usb(place ?? key.path), title: key.name, place: .usb(key))
        }
    }
}

extension BenchDevice {
    fileprivate func isUSBKey(_ wanted: String?) -> Bool {
        guard case .usb(let key) = place else { return false }
        return wanted.map { [key.path, key.place, usbID].contains($0) } ?? true
    }
}
