import CTAP
import Foundation
import SimulatedDevice
import VirtualAuthenticator
import WebAuthnClient

extension PINOptions {
    /// What our own WebAuthn client has around it when a person with a key sits here.
    func environment(_ person: KeyPerson) -> ClientEnvironment {
        var environment = ClientEnvironment(
            randomBytes: SystemRandomSource().bytes, now: SystemTime().now,
            alarm: { try? await Task.sleep(for: $0) })
        environment.onKeepalive = person.keepalive
        environment.enterPIN = { prompt in
            switch prompt.reason {
            case .required: break
            case .builtInBlocked: Terminal.writeError("The sensor is blocked: the PIN is needed.")
            case .builtInFailed: Terminal.writeError("The finger did not match: the PIN is needed.")
            // A PIN from a file would be as wrong again, and cost another try.
            case .wrongPIN where isatty(STDIN_FILENO) != 1 || pinFile != nil:
                Terminal.writeError("The PIN is wrong; \(prompt.retriesLeft) tries left.")
                return .cancelled
            case .wrongPIN: Terminal.writeError("The PIN is wrong.")
            }
            if prompt.powerCycleNeeded {
                Terminal.writeError(KeyAdvice.sentence(for: .pinAuthBlocked) ?? "")
                return .cancelled
            }
            do {
                return .pin(try self.pin(retriesLeft: prompt.retriesLeft, person))
            } catch {
                Terminal.writeError("touchstone: \((error as? CommandError)?.message ?? "\(error)")")
                return .cancelled
            }
        }
        environment.chooseAccount = { accounts in
            guard isatty(STDIN_FILENO) == 1 else { return 0 }
            for (number, account) in accounts.enumerated() {
                Terminal.writeError("  \(number + 1)  \(account.name ?? account.displayName ?? "unnamed account")")
            }
            return TerminalPrompt.ask("Which account? ").flatMap { Int($0) }.map { $0 - 1 }
        }
        return environment
    }
}
