import Foundation
import MachineNeeds
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
        portProblem("\(server) cannot start on port \(port): \(words(error))", port: port, option: option)
    }

    /// The error about a port that cannot be opened; of a usual port, `touchstone doctor` knows the owner.
    static func portProblem(_ problem: String, port: Int?, option: String) -> CommandError {
        let sentence = problem + "; choose another port with \(option), or a free one with \(option) 0"
        let use = port.flatMap(UsualPort.init)?.use
        return CommandError(use?.pointed(sentence) ?? sentence, .notFound)
    }

    /// The words of a failed network call; nil for another error.
    static func network(_ error: any Error) -> String? {
        (error as? IOError).map { String(cString: strerror($0.errnoCode)) }
    }
}
