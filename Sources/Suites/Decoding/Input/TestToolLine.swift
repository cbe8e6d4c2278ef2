internal import CTAPHID
internal import WebAuthn

/// A report as FIDO's test tools print it: `t+0.016< ffffffff:86[17]:7127…`, whose data ends with the report.
struct TestToolLine {
    let side: Fragment.Side?
    private(set) var fragment: Fragment?
    private(set) var damage: HexDamage?

    /// Nil for any other line.
    init?(_ text: Substring) {
        let parts = text.split(separator: ":", maxSplits: 2)
        guard parts.count == 3, let channel = Hex.decode(String(parts[0].suffix(8))), channel.count == 4,
            let bracket = parts[1].firstIndex(of: "["), let command = UInt8(parts[1][..<bracket], radix: 16),
            let length = UInt16(parts[1][parts[1].index(after: bracket)...].prefix { $0.isNumber })
        else { return nil }
        side = text.contains("<") ? .received : text.contains(">") ? .sent : nil
        guard let data = Hex.decode(String(parts[2].trimmed)) else {
            damage = HexDamage(parts[2], in: text, isSure: true)
            return
        }
        let room = CTAPHIDPacket.initializationDataLength
        let needed = min(Int(length), room)
        guard (needed...room).contains(data.count) else {
            damage = HexDamage(
                "a message of \(length) bytes has \(needed) to \(room) in its first report, not \(data.count)")
            return
        }
        let head = channel + [command | 0x80, UInt8(length >> 8), UInt8(length & 0xFF)]
        let padding = [UInt8](repeating: 0, count: room - data.count)
        fragment = Fragment(bytes: head + data + padding, side: side, layer: .report)
    }
}
