internal import Foundation
internal import MachineNeeds
internal import Transports

/// The security keys on USB, without opening them.
enum KeyNodes {
    private static let sysfs = "/sys/class/hidraw"

    static func sighting() -> Sighting {
        #if os(Linux)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: sysfs)) ?? []
        let keys = names.sorted().filter { name in
            let descriptor = FileManager.default.contents(atPath: "\(sysfs)/\(name)/device/report_descriptor") ?? Data()
            return FIDOReportDescriptor.begins(descriptor)
        }.map { HIDRawNode(path: "/dev/\($0)") }
        guard let key = keys.first else {
            let others =
                names.isEmpty ? "no hidraw device is plugged in" : "none of \(names.count) hidraw devices is a key"
            return .absent(others)
        }
        guard let open = keys.first(where: { access($0.path, R_OK | W_OK) == 0 }) else {
            // A node is missing in a container that does not have the device.
            return access(key.path, F_OK) == 0 ? .refused(path: key.path) : .absent("\(key.path) does not exist")
        }
        return .usable([open.path, open.name].compactMap(\.self).joined(separator: ", "))
        #else
        return .foreign("the keys are listed by `touchstone keys list`")
        #endif
    }
}
