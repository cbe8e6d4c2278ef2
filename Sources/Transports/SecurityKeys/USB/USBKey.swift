internal import CFIDO2
package import CTAP
internal import Foundation
internal import Transports

/// A security key on USB, from libfido2's manifest.
package struct USBKey: Hashable, Sendable {
    /// The path libfido2 opens; on Linux the hidraw node.
    package let path: String
    package let vendorID: UInt16
    package let productID: UInt16
    package let name: String
    /// The port, such as `usb-0000:00:14.0-2/input0`, which stays the same while the key is plugged in; nil if unknown.
    package let place: String?

    /// The connection for libfido2; on Linux its reports are observable.
    package func connection() throws(CTAPDeviceError) -> LibFIDO2Connection {
        #if os(Linux)
        .reports(try HIDRawReportTransport(path: path))
        #else
        .path(path)
        #endif
    }

    private static let limit = 64

    package static func all() throws(LibFIDO2Error) -> [USBKey] {
        var owned = fido_dev_info_new(limit)
        defer { fido_dev_info_free(&owned, limit) }
        let list = try LibFIDO2Error.allocated(owned)
        var count = 0
        try LibFIDO2Error.check(fido_dev_info_manifest(list, limit, &count))
        return (0..<count).compactMap { index in
            guard let info = fido_dev_info_ptr(list, index), let path = fido_dev_info_path(info) else { return nil }
            let node = HIDRawNode(path: String(cString: path))
            let strings = [fido_dev_info_manufacturer_string(info), fido_dev_info_product_string(info)]
                .compactMap { $0.map { String(cString: $0).trimmingCharacters(in: .whitespaces) } }
                .filter { !$0.isEmpty }
            return USBKey(
                path: String(cString: path), vendorID: UInt16(bitPattern: fido_dev_info_vendor(info)),
                productID: UInt16(bitPattern: fido_dev_info_product(info)),
                // A virtual key has no USB strings, only a HID name.
                name: strings.isEmpty ? node.name ?? "unnamed" : strings.joined(separator: " "), place: node.place)
        }
    }
}
