internal import Foundation
internal import GRDBSQLite
internal import Synchronization

/// A disk that fails at a chosen operation, below SQLite: a VFS (sqlite.org/vfs.html) over the system's own.
///
/// It counts SQLite's calls on the files of one folder: writes, truncations, synchronisations, deletions, and the
/// growth of shared memory. Files elsewhere are the system's.
public enum FaultyDisk {
    /// The event at the chosen operation.
    public enum Fault: Sendable, CaseIterable {
        /// This operation and all later ones find the disk full.
        case full
        /// This operation alone fails.
        case inputOutputError
        /// The process is killed: half of the bytes are written, and nothing afterwards.
        case kill
    }

    private struct Plan {
        let fault: Fault
        let target: Int
        var count = 0
    }

    /// The plans by folder; suites that run at the same time have folders of their own.
    private static let plans = Mutex<[String: Plan]>([:])
    private static let registration: Void = register()

    /// Runs work while the disk fails at an operation on a file of a folder.
    ///
    /// - Parameter target: The number of the operation, counted from 1.
    /// - Returns: The result of the work, and whether it came as far as that operation.
    public static func run<Result>(
        _ fault: Fault, at target: Int, in folder: String, _ work: () throws -> Result
    ) rethrows -> (result: Result, wasReached: Bool) {
        _ = registration
        plans.withLock { $0[folder] = Plan(fault: fault, target: target) }
        defer { plans.withLock { $0[folder] = nil } }
        let result = try work()
        return (result, plans.withLock { plans in plans[folder].map { $0.count >= $0.target } ?? false })
    }

    /// The same for work that waits.
    public static func run<Result: Sendable>(
        _ fault: Fault, at target: Int, in folder: String, _ work: () async throws -> Result
    ) async rethrows -> (result: Result, wasReached: Bool) {
        install()
        plans.withLock { $0[folder] = Plan(fault: fault, target: target) }
        defer { plans.withLock { $0[folder] = nil } }
        let result = try await work()
        return (result, plans.withLock { plans in plans[folder].map { $0.count >= $0.target } ?? false })
    }

    /// Puts the disk below the databases that are opened from now on; it works until a fault is planned.
    public static func install() { _ = registration }

    /// The effect of the next operation on a file.
    enum Effect {
        case none
        case fails(Int32)
        /// Half of the bytes are written, then the operation fails.
        case tears
    }

    static func effect(on path: String?, error: Int32) -> Effect {
        plans.withLock { plans in
            guard let path, let folder = plans.keys.first(where: path.hasPrefix), var plan = plans[folder] else {
                return .none
            }
            plan.count += 1
            plans[folder] = plan
            let distance = plan.count - plan.target
            switch plan.fault {
            case .full: return distance >= 0 ? .fails(SQLITE_FULL) : .none
            case .inputOutputError: return distance == 0 ? .fails(error) : .none
            case .kill: return distance == 0 ? .tears : distance > 0 ? .fails(error) : .none
            }
        }
    }
}
