import Foundation
import NIOCore

/// The operating system's text for an error.
enum SystemProblem {
    static func words(_ error: any Error) -> String {
        let underlying = (error as? CocoaError)?.underlying as? POSIXError
        let number = (error as? IOError)?.errnoCode ?? underlying?.code.rawValue
        return number.map { String(cString: strerror($0)) } ?? "\(error)"
    }
}
