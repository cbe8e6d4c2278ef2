import ArgumentParser
import BiometricStatistics
import CTAP
import ControlAPI
import DeviceActs
import DeviceHost
import DeviceStore
import Documents
import ForeignParties
import Foundation
import KeyBench
import Machine
import SecurityKeys
import Tables
import Trace
import Transports
import WebAuthnClient

/// The end of the program after an error.
enum Failure {
    enum Status: Int32 {
        case checkFailed = 1
        case badInput = 2
        case notFound = 3
    }

    /// Prints an error on standard error and ends the program with its exit status.
    static func exit(_ error: any Error) -> Never {
        OutputQueue.shared.finish()
        EventLines.finish()
        if let error = error as? CommandError { end(error.message, error.status) }
        if let status = status(of: error) {
            let refusal = (error as? SecurityKeyError)?.status ?? (error as? WebAuthnClientError)?.ctapStatus
            let wasCancelled = (error as? WebAuthnClientError)?.reason == .pinCancelled
            let remedy =
                wasCancelled
                ? "the PIN is wrong or missing; enter the right one, or without a terminal give it with --pin-file or $TOUCHSTONE_PIN"
                : nil
            let advice = (refusal.flatMap { KeyAdvice.sentence(for: $0) } ?? remedy).map { ": " + $0 } ?? ""
            end((error is LibFIDO2Error ? "libfido2: " : "") + "\(error)" + advice, status)
        }
        if error is Interruption.Interrupted {
            Terminal.writeError("touchstone: interrupted")
            _exit(TerminalPrompt.interruptedStatus)
        }
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

    /// The exit status of an error that describes itself; nil for another one.
    private static func status(of error: any Error) -> Status? {
        switch error {
        case let error as ControlError: error.isNameTaken ? .notFound : .badInput
        case is SourceError, is DeviceActError, is RecognitionModelError, is TraceFile.Failure: .badInput
        case let error as TraceReader.Failure:
            switch error {
            case .unreadable: .notFound
            case .malformed: .badInput
            }
        case is UHIDError, is LibFIDO2Error, is CTAPDeviceError: .notFound
        case let error as DeviceHostError:
            switch error {
            case .cannotListen, .portUnavailable, .nameTaken, .notRunning, .unwritableState: .notFound
            case .invalidName, .ambiguous, .impossible, .unreadableState: .badInput
            case .refused, .idle: .checkFailed
            }
        case let error as DeviceStoreError:
            switch error {
            case .missing, .inaccessible, .inUse: .notFound
            case .exists, .notAStore, .newerVersion, .corrupted, .otherDevice, .passphraseNeeded, .wrongPassphrase,
                .notSealed:
                .badInput
            }
        case let error as PartyError:
            switch error {
            case .unreachable: .notFound
            case .unexpected: .checkFailed
            }
        case is UnsuitableDevice: .badInput
        case let error as KeyBenchError:
            switch error {
            case .notFound: .notFound
            case .ambiguous, .badInput: .badInput
            }
        case let error as SecurityKeyError:
            switch error {
            case .refused, .refusedByLibrary, .unsupported, .library: .checkFailed
            case .device: .notFound
            }
        case let error as WebAuthnClientError: error.isDeviceFailure ? .notFound : .checkFailed
        default: nil
        }
    }

    /// The argument parser fits every line of a help text except the usage to the terminal.
    private static func write(help: String) {
        for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
            let isUsage = line.hasPrefix("USAGE:")
            Terminal.write(isUsage ? Paragraph.lines(line, width: Terminal.helpWidth, hanging: 7) : [String(line)])
        }
    }

    private static func end(_ message: String, _ status: Status) -> Never {
        Terminal.writeError("touchstone: \(inOneVoice(message))")
        _exit(status.rawValue)
    }

    /// A message of the argument parser in the form of the program's own: without `Error:`, a capital and a full stop.
    private static func inOneVoice(_ message: String) -> String {
        let mark = "Error: "
        guard message.hasPrefix(mark) else { return message }
        var lines = message.dropFirst(mark.count).split(separator: "\n", omittingEmptySubsequences: false)
        guard var first = lines.first else { return message }
        if first.hasSuffix(".") { first.removeLast() }
        // A name in capitals stays as it is.
        let isWord = first.first?.isUppercase == true && first.dropFirst().first?.isLowercase != false
        lines[0] = isWord ? Substring(first.prefix(1).lowercased() + first.dropFirst()) : first
        // A negative number looks like an option.
        if let number = lines[0].wholeMatch(of: /unknown option '(-[0-9]+)'/)?.1,
            lines.contains(where: { $0.contains("touchstone errors ") || $0.contains("touchstone decode ") })
        {
            lines[0] += "; look up the number of an error with `touchstone errors --code \(number)`"
        }
        return lines.joined(separator: "\n")
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

    static func unwritable(_ path: String, _ reason: String) -> CommandError {
        CommandError("\(path) cannot be written: \(reason)", .badInput)
    }

    /// Writes to a file, and reports a failure as an error about it.
    static func writing<Result>(_ path: String, _ work: () throws -> Result) throws -> Result {
        do { return try work() } catch { throw unwritable(path, SystemProblem.words(error)) }
    }
}
