internal import Foundation
internal import Machine
package import MachineNeeds
internal import Radio
internal import Transports

/// This computer: reads files of the system and asks running services; writes nothing, starts no service and opens no device.
package struct ThisMachine: MachineLookout {
    package let surroundings: MachineSurroundings

    private let asksVersions: Bool

    /// - Parameter asksVersions: whether programs are started with `--version`.
    package init(asksVersions: Bool) {
        surroundings = .here()
        self.asksVersions = asksVersions
    }

    package func look(at need: MachineNeed) async -> Sighting {
        switch need {
        case .loopback: Self.loopback()
        case .temporaryFiles: FolderLook.sighting(of: FileManager.default.temporaryDirectory.path, isPrivate: false)
        case .runningDevices: FolderLook.sighting(of: RuntimeDirectory.standardPath, isPrivate: true)
        // The command that makes it leaves an existing one as it is.
        case .keptFiles: FolderLook.sighting(of: StateDirectory.standardPath, isPrivate: false)
        case .chromium, .chromeDriver, .firefox, .codeReader, .busDaemon, .python, .node:
            await ProgramLook.sighting(of: need, asksVersion: asksVersions)
        case .display: Self.display(DisplayVariable.allCases)
        case .xDisplay: Self.display([.x])
        case .usbKey: KeyNodes.sighting()
        case .udevRule: udevRule()
        case .uhid: UHIDLook.sighting()
        case .pcscd: ReaderService.look().sighting
        case .reader: await ReaderService.look().readers()
        case .virtualReader: ReaderService.virtualReader()
        case .systemBus: await BluetoothLook().bus()
        case .bluetooth: await BluetoothLook().adapter()
        case .servePort, .webDriverPort, .devToolsPort, .controlPort, .devicePort: Self.port(need.port)
        }
    }

    private static func loopback() -> Sighting {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return .absent(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        return status == 0 ? .usable("127.0.0.1") : .absent("127.0.0.1: \(String(cString: strerror(errno)))")
    }

    private static func display(_ variables: [DisplayVariable]) -> Sighting {
        guard let (variable, value) = DisplayVariable.first(of: variables) else {
            let absence = DisplayVariable.absence(of: variables)
            let program = ProgramSearch.path(of: ["xvfb-run"])
            return program.map { .replaceable(absence, by: $0) } ?? .absent(absence)
        }
        return .usable("\(variable.rawValue)=\(value)")
    }

    private static func port(_ port: UsualPort?) -> Sighting {
        guard let port else { return .foreign("not a port") }
        guard let owner = OpenPorts.owner(of: port.number, port.carrier) else { return .usable("free") }
        return .taken(by: owner.name)
    }

    private func udevRule() -> Sighting {
        let files = UdevRule.folders.map { "\($0)/\(UdevRule.name)" }
        if let file = files.first(where: { access($0, R_OK) == 0 }) { return .usable(file) }
        if surroundings.isRoot { return .usable("not installed, and root needs none") }
        return .absent("\(UdevRule.name) is not in \(UdevRule.folders.joined(separator: ", "))")
    }
}

extension MachineSurroundings {
    /// Reads this computer's.
    static func here() -> MachineSurroundings {
        var name = utsname()
        uname(&name)
        let (system, release, machine) = (text(name.sysname), text(name.release), text(name.machine))
        let file =
            ["/etc/os-release", "/usr/lib/os-release"].lazy
            .compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }.first ?? ""
        let title = [Distribution.title(osRelease: file), "\(system) \(release)", machine].compactMap(\.self)
        return MachineSurroundings(
            title: title.joined(separator: ", "),
            distribution: system == "Darwin" ? .macOS : Distribution(osRelease: file), isRoot: geteuid() == 0,
            // sd_booted(3)
            hasSystemd: access("/run/systemd/system", F_OK) == 0)
    }

    private static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
