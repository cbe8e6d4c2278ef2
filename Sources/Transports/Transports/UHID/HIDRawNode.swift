internal import Foundation

/// A hidraw node of this machine, with the attributes of its HID device in sysfs.
package struct HIDRawNode: Hashable, Sendable {
    private static let directory = "/sys/class/hidraw"

    /// The node, such as `/dev/hidraw0`.
    package let path: String
    /// `HID_NAME`: manufacturer and product.
    package let name: String?
    /// `HID_PHYS`: the port it is plugged into.
    package let place: String?
    /// `HID_UNIQ`: the serial number, or ``UHIDIdentity/unique``.
    package let unique: String?

    /// Reads a node's attributes in sysfs; missing ones are nil.
    package init(path: String) { self.init(path: path, in: Self.directory) }

    init(path: String, in directory: String) {
        self.path = path
        let node = path.split(separator: "/").last ?? ""
        let event = FileManager.default.contents(atPath: "\(directory)/\(node)/device/uevent") ?? Data()
        var values: [Substring: String] = [:]
        for line in String(decoding: event, as: UTF8.self).split(separator: "\n") {
            let pair = line.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { values[pair[0]] = String(pair[1]) }
        }
        name = values["HID_NAME"]
        place = values["HID_PHYS"]
        unique = values["HID_UNIQ"]
    }

    /// The node of the device with this `HID_UNIQ`; nil when there is none.
    package static func withUnique(_ unique: String) -> HIDRawNode? { withUnique(unique, in: directory) }

    /// Waits for the node of the device with this `HID_UNIQ`; nil when the kernel has not created it within the limit.
    package static func appearing(unique: String, within limit: Duration) async -> HIDRawNode? {
        let deadline = ContinuousClock.now + limit
        while true {
            if let node = withUnique(unique) { return node }
            guard ContinuousClock.now < deadline, (try? await Task.sleep(for: .milliseconds(20))) != nil else {
                return nil
            }
        }
    }

    static func withUnique(_ unique: String, in directory: String) -> HIDRawNode? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.map { HIDRawNode(path: "/dev/\($0)", in: directory) }.first { $0.unique == unique }
    }
}
