internal import CTAPHID
internal import WebAuthn

/// A line of usbmon's text: `ffff8f1d 1234567 S Io:1:005:1 -115:1 64 = 01020304 90000606 …`.
///
/// It has at most 32 bytes of each transfer.
struct MonitorLine {
    let side: Fragment.Side?
    private(set) var fragment: Fragment?
    private(set) var damage: HexDamage?

    /// Nil for any other line.
    init?(_ text: Substring) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count > 3, words[0].count >= 8, words[0].allSatisfy(HexDamage.isDigit),
            ["S", "C"].contains(words[2]),
            let transfer = words[3].split(separator: ":").first, transfer.count == 2,
            "ICZB".contains(transfer.prefix(1)), "io".contains(transfer.suffix(1))
        else { return nil }
        side = transfer.hasSuffix("o") ? .sent : .received
        // A line without the mark has no data: the other half of the transfer.
        guard transfer.hasPrefix("I"), let mark = words.firstIndex(of: "="), mark > 4, let length = Int(words[mark - 1])
        else { return }
        let data = words[(mark + 1)...]
        guard let bytes = Hex.decode(data.joined()) else {
            damage = data.first.flatMap { first in
                HexDamage(text[first.startIndex...], in: text, isSure: true)
            }
            return
        }
        fragment = Fragment(bytes: bytes, side: side, layer: length == CTAPHIDPacket.length ? .report : nil)
        if bytes.count < length {
            fragment?.problems = [
                .damage(
                    "usbmon's text has \(bytes.count) of the transfer's \(length) bytes; capture with tshark instead")
            ]
        }
    }
}
