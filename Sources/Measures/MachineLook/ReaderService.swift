internal import Foundation
internal import Machine
internal import MachineNeeds
internal import SecurityKeys
internal import Transports

/// pcscd, which is not started: where systemd starts it, a connection would.
struct ReaderService {
    private enum State {
        case missing
        case installed
        /// systemd starts it with the first connection.
        case waiting
        case running
        case refused
    }

    /// The path of the service's socket; pcsc-lite reads the same variable.
    private static let socket = ProcessInfo.processInfo.environment["PCSCLITE_CSOCK_NAME"] ?? "/run/pcscd/pcscd.comm"
    /// The folders of the program that PATH may lack.
    private static let folders = ["/usr/sbin", "/sbin"]
    /// The driver of vsmartcard's virtual reader, in the folder of Debian's package and in the one of its sources.
    private static let drivers = [
        "/usr/lib/pcsc/drivers/serial/libifdvpcd.so", "/usr/local/lib/pcsc/drivers/serial/libifdvpcd.so",
        "/etc/reader.conf.d/vpcd",
    ]

    private let state: State

    static func look() -> ReaderService {
        if access(socket, F_OK) == 0 {
            guard access(socket, R_OK | W_OK) == 0 else { return ReaderService(state: .refused) }
            return ReaderService(state: ProcessNames.contain("pcscd") ? .running : .waiting)
        }
        let program = ProgramSearch.path(of: MachineNeed.pcscd.programs, further: folders)
        return ReaderService(state: program == nil ? .missing : .installed)
    }

    var sighting: Sighting {
        #if os(Linux)
        switch state {
        case .missing: .absent("pcscd is not installed")
        case .installed: .resting("pcscd is installed and does not run: \(Self.socket) does not exist")
        case .waiting: .usable("\(Self.socket), which starts pcscd at the first use")
        case .running: .usable(Self.socket)
        case .refused: .refused(path: Self.socket)
        }
        #else
        .foreign("the system has its own service for readers")
        #endif
    }

    /// The readers, also virtual ones.
    func readers() async -> Sighting {
        switch state {
        case .missing: return .absent("pcscd is not installed")
        case .installed, .waiting: return .resting("pcscd does not run, and only a running one knows its readers")
        case .refused: return .refused(path: Self.socket)
        case .running: break
        }
        do {
            let names = try await PCSCReader.all().map { $0.hasCard ? "\($0.name) with a card" : $0.name }
            return names.isEmpty ? .absent("pcscd has no reader") : .usable(names.joined(separator: ", "))
        } catch {
            return .absent("\(error)")
        }
    }

    /// The virtual reader, which a card reaches on a port; a connection would place a card on it.
    static func virtualReader(port: Int = VPCDEndpoint.Configuration().port) -> Sighting {
        let place = "port \(port)"
        if let owner = OpenPorts.owner(of: port, .tcp) {
            return .usable(owner.name.map { "\(place), \($0)" } ?? place)
        }
        guard drivers.contains(where: { access($0, F_OK) == 0 }) else {
            return .absent("the driver vpcd is not installed")
        }
        return .resting("the driver vpcd is installed, and no reader listens on \(place)")
    }
}
