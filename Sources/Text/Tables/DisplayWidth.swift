extension StringProtocol {
    /// The columns of a terminal that the text takes.
    ///
    /// A character of East Asian width W or F (Unicode Annex #11) or an emoji takes two columns; a control character, a
    /// combining mark on its own and a colour sequence (`ESC [ … m`) take none.
    package var displayWidth: Int {
        var width = 0
        var rest = self[...]
        while let character = rest.popFirst() {
            if character == "\u{1B}" {
                guard let end = rest.firstIndex(of: "m") else { return width }
                rest = rest[rest.index(after: end)...]
            } else {
                width += character.displayWidth
            }
        }
        return width
    }
}

extension Character {
    fileprivate var displayWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.isASCII, unicodeScalars.count == 1 { return first.value < 0x20 || first.value == 0x7F ? 0 : 1 }
        if first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch first.properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: return 0
        default: return Self.wideRanges.contains { $0.contains(first.value) } ? 2 : 1
        }
    }

    /// The blocks whose characters have the East Asian width W or F.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]
}
