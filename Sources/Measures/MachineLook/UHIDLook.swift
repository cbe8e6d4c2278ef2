internal import Foundation
internal import MachineNeeds
internal import Transports

/// The file that creates virtual USB keys, without opening it: that would load the kernel's module.
enum UHIDLook {
    static func sighting() -> Sighting {
        #if os(Linux)
        let path = UHIDEndpoint.usualPath
        guard access(path, F_OK) == 0 else { return .absent("\(path) does not exist") }
        guard access(path, R_OK | W_OK) == 0 else { return .refused(path: path) }
        let drivers = (try? String(contentsOfFile: "/proc/misc", encoding: .utf8)) ?? ""
        let isLoaded = drivers.split(separator: "\n").contains { $0.hasSuffix(" uhid") }
        return .usable(isLoaded ? path : "\(path), whose module the kernel loads at the first use")
        #else
        return .foreign("virtual USB keys need Linux")
        #endif
    }
}
