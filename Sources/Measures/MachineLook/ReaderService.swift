internal import CTAP
internal import Foundation
internal import Machine
internal import MachineNeeds
internal import SecurityKeys

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
    private static let virtualDrivers = [
        "/usr/lib/pcsc/drivers/serial/libifdvpcd.so", "/usr/local/lib/pcsc/drivers/serial/libifdvpcd.so",
        "/etc/reader.conf.d/vpcd",
    ]
    /// The beginning of the virtual readers' names.
    private static let virtualName = "Virtual PCD"

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

    /// The readers of one kind.
    func readers(virtual: Bool) async -> Sighting {
        let hasDriver = Self.virtualDrivers.contains { access($0, F_OK) == 0 }
        guard case .running = state else {
            guard virtual else {
                if case .missing = state { return .absent("pcscd is not installed") }
                return .resting("pcscd does not run, and only a running one knows its readers")
            }
            return hasDriver ? .resting("its driver is installed, and pcscd does not run") : .absent(Self.noDriver)
        }
        do {
            let readers = try await PCSCReader.all()
            let names = readers.filter { $0.name.hasPrefix(Self.virtualName) == virtual }.map { reader in
                reader.hasCard ? "\(reader.name) with a card" : reader.name
            }
            guard names.isEmpty else { return .usable(names.joined(separator: ", ")) }
            guard virtual else { return .absent("pcscd has no reader") }
            return hasDriver ? .resting("its driver is installed, and pcscd has not loaded it") : .absent(Self.noDriver)
        } catch {
            return .absent("\(error)")
        }
    }

    private static let noDriver = "the driver vpcd is not installed"
}
