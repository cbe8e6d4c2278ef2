internal import Foundation
internal import Synchronization

/// The folders and processes of the benchmark that runs, which an interruption would leave behind.
struct Leftovers {
    private var folders: Set<String> = []
    private var processes: Set<Int32> = []

    private static let shared = Mutex(Leftovers())

    static func note(folder: String) { shared.withLock { _ = $0.folders.insert(folder) } }
    static func note(process: Int32) { shared.withLock { _ = $0.processes.insert(process) } }

    static func remove(folder: String) {
        shared.withLock { _ = $0.folders.remove(folder) }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Forgets a process that has ended: another one may get its number.
    static func forget(process: Int32) { shared.withLock { _ = $0.processes.remove(process) } }

    static func removeAll() {
        shared.withLock { leftovers in
            for process in leftovers.processes { kill(process, SIGKILL) }
            for folder in leftovers.folders { try? FileManager.default.removeItem(atPath: folder) }
        }
    }
}
