internal import Foundation

/// The hidraw nodes of this machine, as sysfs lists them.
public enum HIDRawNode {
    /// The node of the device that says this of itself, such as `/dev/hidraw0`; nil while there is none.
    ///
    /// - Parameters:
    ///   - unique: the ``UHIDIdentity/unique`` of a virtual key.
    ///   - directory: where sysfs keeps the nodes' directories.
    public static func path(ofUnique unique: String, in directory: String = "/sys/class/hidraw") -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        let name = names.first { name in
            let event = FileManager.default.contents(atPath: "\(directory)/\(name)/device/uevent") ?? Data()
            return String(decoding: event, as: UTF8.self).split(separator: "\n").contains("HID_UNIQ=\(unique)")
        }
        return name.map { "/dev/\($0)" }
    }
}
