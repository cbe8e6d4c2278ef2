internal import Foundation

/// Processes of this machine.
package enum RunningProcess {
    /// Whether a process runs; one that has ended does not, even if its parent has not asked for its status yet.
    package static func exists(_ id: Int32) -> Bool {
        guard kill(id, 0) == 0 || errno == EPERM else { return false }
        // Linux: the state follows the name, which is in parentheses (proc_pid_stat(5)).
        let stat = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        guard let stat, let end = stat.lastIndex(of: ")") else { return true }
        let state = stat[end...].dropFirst(2).first
        return state != "Z" && state != "X"
    }
}
