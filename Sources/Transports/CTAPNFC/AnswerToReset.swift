/// The ATR that a reader constructs for a contactless card (PC/SC 2.01.09 part 3 §3.1.3.2.3.1).
///
/// `3B 8n 80 01`, n historical bytes, and a check byte, the exclusive or of all bytes after the first. The historical
/// bytes come from the card's ATS (ISO/IEC 14443-4 §5.2.7).
package struct AnswerToReset: Hashable, Sendable {
    package let bytes: [UInt8]

    /// The ATR of a card with these historical bytes; at most 15 are used.
    package init(historicalBytes: [UInt8]) {
        let historicalBytes = historicalBytes.prefix(15)
        let body = [0x80 | UInt8(historicalBytes.count), 0x80, 0x01] + historicalBytes
        bytes = [0x3B] + body + [body.reduce(0, ^)]
    }

    /// The ATR of an ``NFCCard``, whose historical bytes encode its capabilities (ISO/IEC 7816-4 §8.1.1, §12.1.1.9).
    ///
    /// `80`: compact TLV. `73`: three bytes of capabilities, `80` for selection by full name, `01` for data units of
    /// one byte, and `80` for command chaining or `C0` with extended lengths.
    package init(of configuration: NFCCard.Configuration) {
        self.init(historicalBytes: [0x80, 0x73, 0x80, 0x01, configuration.supportsExtendedLength ? 0xC0 : 0x80])
    }
}
