package import HybridLink

/// The value of `--device`: one of the devices that the bench can reach.
package enum DeviceSelector: Hashable, Sendable, CustomStringConvertible {
    /// A simulated device of this profile, in this process: `virtual:PROFILE`.
    case virtual(String)
    /// A security key on USB: `usb`, or `usb:` with its path, its place or `VENDOR:PRODUCT`.
    case usb(String?)
    /// A security key on an NFC reader: `nfc`, or `nfc:` with the reader's name or a part of it.
    case nfc(String?)
    /// A device served over UDP: `udp:HOST:PORT`.
    case udp(host: String, port: Int)
    /// A phone that scans a QR code: `hybrid:` for simulated ones of this computer, `hybrid:bluez` for those near the
    /// Bluetooth adapter.
    case hybrid(HybridAir)
    /// A linked phone, without a code: `hybrid:NAME`.
    case link(String)

    package static let spellings =
        "virtual:PROFILE, usb[:PATH], nfc[:READER], udp:HOST:PORT, hybrid: (a phone), hybrid:bluez (untried), hybrid:LINK"

    /// Parses a selector; nil for anything but ``spellings``.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let rest = parts.count == 2 ? parts[1] : nil
        if parts[0] == "hybrid" {
            guard let name = rest, !name.isEmpty else {
                self = .hybrid(.thisComputer)
                return
            }
            if name == HybridAir.bluetooth.rawValue {
                self = .hybrid(.bluetooth)
            } else if (try? LinkFolder.check(name)) != nil {
                self = .link(name)
            } else {
                return nil
            }
            return
        }
        guard rest != "" else { return nil }
        switch (parts[0], rest) {
        case ("virtual", let profile?): self = .virtual(profile)
        case ("usb", let path): self = .usb(path)
        case ("nfc", let reader): self = .nfc(reader)
        case ("udp", let address?):
            guard let colon = address.lastIndex(of: ":"), colon > address.startIndex,
                let port = Int(address[address.index(after: colon)...]), (1...65535).contains(port)
            else { return nil }
            self = .udp(host: String(address[..<colon]), port: port)
        default: return nil
        }
    }

    package var description: String {
        switch self {
        case .virtual(let profile): "virtual:\(profile)"
        case .usb(let path): path.map { "usb:\($0)" } ?? "usb"
        case .nfc(let reader): reader.map { "nfc:\($0)" } ?? "nfc"
        case .udp(let host, let port): "udp:\(host):\(port)"
        case .hybrid(.thisComputer): "hybrid:"
        case .hybrid(let air): "hybrid:\(air.rawValue)"
        case .link(let name): "hybrid:\(name)"
        }
    }
}
