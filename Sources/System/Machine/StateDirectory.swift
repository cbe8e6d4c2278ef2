internal import Foundation

/// The directory of files that the program keeps between its runs.
package enum StateDirectory {
    /// `$XDG_STATE_HOME/touchstone`, by default below `~/.local/state`.
    package static var standardPath: String {
        let state = ProcessInfo.processInfo.environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        return (state ?? NSHomeDirectory() + "/.local/state") + "/touchstone"
    }
}
