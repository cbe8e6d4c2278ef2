import Foundation
import NIOCore

/// What the operating system had against something, in its own words.
enum SystemProblem {
    static func words(_ error: any Error) -> String {
        (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
    }
}
