import Foundation
import NIOCore

/// The operating system's text for an error.
enum SystemProblem {
    static func words(_ error: any Error) -> String {
        let underlying = (error as? CocoaError)?.underlying as? POSIXError
        return network(error) ?? underlying.map { String(cString: strerror($0.code.rawValue)) } ?? "\(error)"
    }

    /// The words of a failed network call; nil for another error.
    static func network(_ error: any Error) -> String? {
        (error as? IOError).map { String(cString: strerror($0.errnoCode)) }
    }
}
