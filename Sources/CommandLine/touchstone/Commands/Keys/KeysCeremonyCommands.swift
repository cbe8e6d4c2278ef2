import ArgumentParser
import CTAP
import CTAPHybrid
import KeyBench
import SecurityKeys

/// `touchstone keys register`.
struct KeysRegisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Register a key at the built-in relying party and show its ledger.",
        discussion: "The relying party runs for one ceremony; its database stays for `keys sign-in`.")

    @Option(help: "The account; created when it is new.")
    var account = "alice"

    @OptionGroup var options: CeremonyOptions

    func run() async throws {
        try await options.perform(.makeCredential) { [account] server, client in
            try await server.register(account: account, with: client)
        }
    }
}

/// `touchstone keys sign-in`.
struct KeysSignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in", abstract: "Sign in with a registered key and show the relying party's ledger.")

    @Option(help: "The account to sign in to; default: that of a discoverable credential.")
    var account: String?

    @OptionGroup var options: CeremonyOptions

    func run() async throws {
        try await options.perform(.getAssertion) { [account] server, client in
            try await server.signIn(account: account, with: client)
        }
    }
}
