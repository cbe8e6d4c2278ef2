internal import Foundation

/// The directory of files with which running programs of a user find each other.
package enum RuntimeDirectory {
    /// `$TOUCHSTONE_RUNTIME`, `$XDG_RUNTIME_DIR/touchstone`, or `touchstone-UID` among the temporary files.
    package static var standardPath: String {
        if let path = EnvironmentVariable.runtime.nonemptyValue { return path }
        if let path = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"], !path.isEmpty {
            return path + "/touchstone"
        }
        return "/tmp/touchstone-\(getuid())"
    }
}
