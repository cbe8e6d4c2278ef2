import ArgumentParser
import CTAP
import ControlAPI
import DeviceActs
import DeviceHost
import DeviceStore
import Documents
import Foundation
import KeyBench
import SecurityKeys
import Tables
import Transports
import WebAuthnClient

/// The end of the program after an error.
enum Failure {
    /// The exit statuses of the command line.
    enum Status: Int32 {
        case checkFailed = 1
        case badInput = 2
        case notThere = 3
    }

    /// Prints an error on standard error and ends the program with its exit status.
    static func exit(_ error: any Error) -> Never {
        switch error {
        case let error as SourceError: end(error.description, .badInput)
        case let error as DeviceActError: end(error.description, .badInput)
        case let error as DeviceHostError:
            switch error {
            case .cannotListen, .nameTaken, .notRunning, .unwritableState: end(error.description, .notThere)
            case .invalidName, .ambiguous, .refused, .unreadableState: end(error.description, .badInput)
            case .cameToNothing: end(error.description, .checkFailed)
            }
        case let error as DeviceStoreError:
            switch error {
            case .missing, .inaccessible, .inUse: end(error.description, .notThere)
            case .exists, .notAStore, .newerVersion, .corrupted, .otherDevice, .passphraseNeeded, .wrongPassphrase,
                .notSealed:
                end(error.description, .badInput)
            }
        case is Interruption.Interrupted:
            Terminal.writeError("touchstone: interrupted")
            _exit(TerminalPrompt.interruptedStatus)
        case let error as KeyBenchError:
            switch error {
            case .notThere: end(error.description, .notThere)
            case .ambiguous, .badInput: end(error.description, .badInput)
            }
        case let error as SecurityKeyError:
            switch error {
            case .refused(let status):
                end(error.description + (KeyAdvice.sentence(for: status).map { ": " + $0 } ?? ""), .checkFailed)
            case .device, .library: end(error.description, .notThere)
            case .unsupported: end(error.description, .checkFailed)
            }
        case let error as UHIDError: end(error.description, .notThere)
        case let error as LibFIDO2Error: end("libfido2: \(error)", .notThere)
        case let error as CTAPDeviceError: end(error.description, .notThere)
        case let error as WebAuthnClientError:
            let advice = error.ctapStatus.flatMap(KeyAdvice.sentence).map { ": " + $0 } ?? ""
            end(error.description + advice, error.isDeviceFailure ? .notThere : .checkFailed)
        case let error as ControlError: end(error.description, .badInput)
        case let error as CommandError: end(error.message, error.status)
        default:
            // Requests for help and the version arrive here, too.
            let code = Touchstone.exitCode(for: error)
            if code == .validationFailure || code.rawValue == EX_USAGE {
                end(Touchstone.fullMessage(for: error), .badInput)
            }
            if code == .success {
                write(help: Touchstone.fullMessage(for: error))
                _exit(code.rawValue)
            }
            Touchstone.exit(withError: error)
        }
    }

    /// Writes a help text.
    ///
    /// The argument parser fits all lines of it to the terminal but the usage.
    private static func write(help: String) {
        for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
            let isUsage = line.hasPrefix("USAGE:")
            Terminal.write(isUsage ? Paragraph.lines(line, width: Terminal.width, hanging: 7) : [String(line)])
        }
    }

    private static func end(_ message: String, _ status: Status) -> Never {
        let text = message.hasPrefix("Error:") ? message : "touchstone: \(message)"
        Terminal.writeError(text)
        _exit(status.rawValue)
    }
}

/// An error of the command line, with its exit status.
struct CommandError: Error {
    let message: String
    let status: Failure.Status

    init(_ message: String, _ status: Failure.Status) {
        self.message = message
        self.status = status
    }

    /// The error for a file that cannot be written.
    static func unwritable(_ path: String, _ reason: String) -> CommandError {
        CommandError("\(path) cannot be written: \(reason)", .badInput)
    }
}
