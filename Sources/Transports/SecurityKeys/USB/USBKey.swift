internal import CFIDO2
package import CTAP
internal import Foundation
internal import Transports

/// A security key on USB, as libfido2's manifest tells of it.
package struct USBKey: Hashable, Sendable {
    /// What libfido2 opens; on Linux the hidraw node.
    package let path: String
    package let vendorID: UInt16
    package let productID: UInt16
    /// What the operating system calls it.
    package let name: String
    /// Where it is plugged in, such as `usb-0000:00:14.0-2/input0`: the same as long as it stays there; nil where the
    /// system does not tell.
    package let place: String?

    /// How libfido2 reaches it: in our sight where its reports can be carried by us, as on Linux.
    ///
    /// - Throws: ``CTAP/CTAPDeviceError`` when it may not be opened.
    package func connection() throws(CTAPDeviceError) -> LibFIDO2Connection {
        #if os(Linux)
            .reports(try HIDRawReportTransport(path: path))
        #else
            .path(path)
        #endif
    }

    /// The most keys that are looked for.
    private static let limit = 64

    /// Every key that is plugged in.
    ///
    /// - Throws: ``LibFIDO2Error`` when the system cannot be asked.
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
                // A key that the kernel made of a virtual one has no USB strings, only a HID name.
                name: strings.isEmpty ? node.name ?? "unnamed" : strings.joined(separator: " "), place: node.place)
        }
    }
}
