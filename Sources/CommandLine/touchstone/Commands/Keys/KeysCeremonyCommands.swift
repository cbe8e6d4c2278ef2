import ArgumentParser
import CTAP
import KeyBench
import SecurityKeys

/// `touchstone keys register`.
struct KeysRegisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Register a key to the bench's own relying party and show its ledger.",
        discussion: "The relying party runs for this one ceremony; its database stays for `keys sign-in`.")

    @Option(help: "The account; made when it is new.")
    var account = "alice"

    @OptionGroup var options: CeremonyOptions

    func run() async throws {
        try await options.perform { [account] harness, client in
            try await harness.register(account: account, with: client)
        }
    }
}

/// `touchstone keys sign-in`.
struct KeysSignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in", abstract: "Sign in with a registered key and show the relying party's ledger.")

    @Option(help: "The account whose keys are named to the key; without it, a discoverable credential is asked for.")
    var account: String?

    @OptionGroup var options: CeremonyOptions

    func run() async throws {
        try await options.perform { [account] harness, client in
            try await harness.signIn(account: account, with: client)
        }
    }
}
