import Foundation
import NIOCore

/// The operating system's text for an error.
enum SystemProblem {
    static func words(_ error: any Error) -> String {
        (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
    }
}
