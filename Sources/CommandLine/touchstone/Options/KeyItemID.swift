import ArgumentParser
import WebAuthn

/// The ID of something on a security key, as its `list` command prints it.
struct KeyItemID: Sendable {
    let bytes: [UInt8]

    var text: String { Hex.encode(bytes) }

    /// - Throws: `ValidationError` for anything but hexadecimal digits.
    init(_ text: String) throws {
        guard let bytes = Hex.decode(text), !bytes.isEmpty else {
            throw ValidationError("\"\(text)\" is not an ID; enter the hexadecimal digits that `list` prints")
        }
        self.bytes = bytes
    }
}

/// The credential a command works on.
struct CredentialArgument: ParsableArguments {
    @Argument(help: "The credential's ID, in hexadecimal digits.", transform: KeyItemID.init)
    var id: KeyItemID
}

/// The finger a command works on.
struct FingerArgument: ParsableArguments {
    @Argument(help: "The finger's ID, in hexadecimal digits.", transform: KeyItemID.init)
    var id: KeyItemID
}
