import ArgumentParser
import ControlAPI
import Foundation
import Machine

/// The token that requests to a server carry.
struct TokenOptions: ParsableArguments {
    @Option(help: "Write the token to this file, readable only by its owner.")
    var tokenFile: String?

    @Option(
        help: """
            The token: 16 to 512 letters, digits, '-', '.', '_' and '~'; default: random. Every process can list \
            command lines; set $TOUCHSTONE_TOKEN instead.
            """)
    var token: String?

    private var givenToken: String? { token ?? EnvironmentVariable.token.value }

    /// The given token, or a random one.
    func chosen() throws -> AccessToken {
        guard let text = givenToken else { return AccessToken() }
        guard let token = AccessToken(text) else {
            throw CommandError("the token is invalid; use 16 to 512 letters, digits, '-', '.', '_' and '~'", .badInput)
        }
        return token
    }

    /// The token as the line about the server's start shows it; empty for a token that its user knows or finds in the file.
    func shown(_ token: AccessToken) -> String {
        tokenFile != nil || givenToken != nil ? "" : ", token \(token.text)"
    }

    /// Replaces the token's file, which is never readable to others, not even for a moment.
    func write(_ token: AccessToken) throws {
        guard let tokenFile else { return }
        let kind = OutputFile.Kind("a token") { head in
            AccessToken(String(decoding: head, as: UTF8.self).trimmingCharacters(in: .newlines)) != nil
        }
        try CommandError.writing(tokenFile) {
            try OutputFile(tokenFile, kind).replace(with: Array((token.text + "\n").utf8))
        }
    }
}
