import Foundation
import NIOCore

/// The operating system's text for an error.
enum SystemProblem {
    static func words(_ error: any Error) -> String {
        let underlying = (error as? CocoaError)?.underlying as? POSIXError
        return network(error) ?? underlying.map { String(cString: strerror($0.code.rawValue)) } ?? "\(error)"
    }

    /// The error of a server whose port cannot be opened, with the option for another one.
    static func cannotStart(
        _ server: String, on port: Int, _ error: any Error, option: String = "--port"
    ) -> CommandError {
        CommandError("\(server) cannot start on port \(port): \(words(error))" + portAdvice(option), .notFound)
    }

    static func portAdvice(_ option: String) -> String {
        "; choose another port with \(option), or a free one with \(option) 0"
    }

    /// The words of a failed network call; nil for another error.
    static func network(_ error: any Error) -> String? {
        (error as? IOError).map { String(cString: strerror($0.errnoCode)) }
    }
}
