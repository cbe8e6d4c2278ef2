import ArgumentParser

/// `touchstone keys`: the security keys in your hand.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Work with real security keys: on USB and on NFC readers.",
        discussion: """
            --device says which: usb, usb:PATH, usb:VENDOR:PRODUCT, nfc, nfc:READER, or a simulated one by \
            virtual:PROFILE or udp:HOST:PORT. Without it, the one key there is; among several, the one you touch.

            A PIN is asked for on the terminal, or read from --pin-file or $TOUCHSTONE_PIN; never from the command \
            line, which anybody may list.
            """,
        subcommands: [
            KeysListCommand.self, KeysInfoCommand.self, KeysCompareCommand.self, KeysRegisterCommand.self,
            KeysSignInCommand.self, KeysPINCommand.self, KeysFingerprintsCommand.self, KeysCredentialsCommand.self,
            KeysLargeBlobsCommand.self, KeysConfigCommand.self, KeysResetCommand.self, KeysTouchCommand.self,
        ])
}
