import ArgumentParser

/// `touchstone keys`.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Use and manage security keys on USB and NFC.",
        discussion: """
            --device chooses the key: usb, usb:PATH, usb:VENDOR:PRODUCT, nfc or nfc:READER, or a simulated device: \
            virtual:PROFILE or udp:HOST:PORT. Default: the only key; with several keys, the key that the user touches.

            The PIN is asked for on the terminal, or read from --pin-file or $TOUCHSTONE_PIN. It cannot be an \
            argument, because every process can list command lines.
            """,
        subcommands: [
            KeysListCommand.self, KeysInfoCommand.self, KeysCompareCommand.self, KeysRegisterCommand.self,
            KeysSignInCommand.self, KeysPINCommand.self, KeysFingerprintsCommand.self, KeysCredentialsCommand.self,
            KeysLargeBlobsCommand.self, KeysConfigCommand.self, KeysResetCommand.self, KeysTouchCommand.self,
        ])
}
