import ArgumentParser
import CTAP
import Foundation
import Machine
internal import MachineTime
import SecurityKeys
import SimulatedDevice
import VirtualAuthenticator
import WebAuthnClient
import Wording

/// The source of the PIN.
struct PINOptions: ParsableArguments {
    @Option(help: "Read the PIN from the first line of this file; - for standard input. Or set $TOUCHSTONE_PIN.")
    var pinFile: String?

    @Flag(help: "Use the last PIN retry. A wrong PIN then blocks the key; only a reset, which erases it, unblocks it.")
    var lastTry = false

    var given: OptionRule.Options { ["--pin-file": pinFile != nil, "--last-try": lastTry] }

    /// The key's PIN, after the number of retries left is shown; nil for a key without a PIN.
    ///
    /// - Parameter isChanging: whether the PIN is entered to be changed; for all else a due change comes first.
    func pin(
        of key: any SecurityKey, saying info: AuthenticatorInfo, _ person: KeyUser, isChanging: Bool = false
    ) async throws -> String? {
        guard info.option(.clientPin) == true else { return nil }
        guard isChanging || info.forcePINChange != true else {
            throw CommandError("the PIN of \(person.key) must be changed; \(KeyAdvice.changePIN(person))", .checkFailed)
        }
        if try await key.isPINBlockedUntilUnplugged() == true {
            throw CommandError(
                "\(person.key): " + (KeyAdvice.sentence(for: .pinAuthBlocked, person) ?? ""), .checkFailed)
        }
        return try pin(retriesLeft: try await key.pinRetries(), person)
    }

    /// The last retry needs a confirmation.
    func pin(retriesLeft: Int, _ person: KeyUser) throws -> String {
        guard retriesLeft > 0 else {
            throw CommandError(
                "the PIN of \(person.key) is blocked; only \(person.command("reset")), which erases everything, unblocks it",
                .checkFailed)
        }
        Terminal.writeError("\(person.key): \(Wording.counted(retriesLeft, "PIN retry", "PIN retries")) left.")
        if retriesLeft == 1, !lastTry {
            try ConfirmationOptions.ask(
                "This is the last retry. A wrong PIN blocks \(person.key); only a reset, which erases the key, unblocks it.",
                word: "yes", flag: "--last-try")
        }
        return try SecretInput(name: "PIN", file: pinFile, option: "--pin-file", variable: .pin).read()
    }
}

extension PINOptions {
    /// The environment of the bench's WebAuthn client with a user at this terminal.
    func environment(_ person: KeyUser) -> ClientEnvironment {
        var environment = ClientEnvironment(
            randomBytes: SystemRandomSource().bytes, now: SystemTime().now,
            alarm: { try? await Task.sleep(for: $0) })
        environment.onKeepalive = person.keepalive
        environment.enterPIN = { prompt in
            switch prompt.reason {
            case .required: break
            case .builtInBlocked: Terminal.writeError("The sensor is blocked; the PIN is needed.")
            case .builtInFailed: Terminal.writeError("The finger did not match; the PIN is needed.")
            // The PIN from the file is wrong again and costs another retry.
            // The error of the command says so.
            case .wrongPIN where isatty(STDIN_FILENO) != 1 || pinFile != nil: return .cancelled
            case .wrongPIN: Terminal.writeError("The PIN is wrong.")
            }
            if prompt.powerCycleNeeded {
                Terminal.writeError(KeyAdvice.sentence(for: .pinAuthBlocked, person) ?? "")
                return .cancelled
            }
            do {
                return .pin(try self.pin(retriesLeft: prompt.retriesLeft, person))
            } catch let error as CommandError {
                person.cannotEnterPIN(error)
                return .cancelled
            } catch {
                Terminal.writeError("touchstone: \(error)")
                return .cancelled
            }
        }
        environment.chooseAccount = { accounts in
            guard isatty(STDIN_FILENO) == 1 else { return 0 }
            for (number, account) in accounts.enumerated() {
                Terminal.writeError("  \(number + 1)  \(account.name ?? account.displayName ?? "unnamed account")")
            }
            return (try? TerminalPrompt.ask("Which account? ")).flatMap { Int($0) }.map { $0 - 1 }
        }
        return environment
    }
}
