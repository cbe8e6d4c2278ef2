extension String {
    /// The text in which the two bytes of a status word stand as one number: `SW1=6A, SW2=80` as `SW 6A80`.
    func joiningStatusWords() -> String {
        if let alone = wholeMatch(of: /\s*(?:0[xX])?([69][0-9A-Fa-f])[ :](?:0[xX])?([0-9A-Fa-f]{2})\s*/) {
            return "SW \(alone.1)\(alone.2)"
        }
        let parts = #/\bsw1\b\W{1,3}(?:0x)?([0-9a-f]{2})h?\b\W{1,3}sw2\b\W{1,3}(?:0x)?([0-9a-f]{2})h?\b/#
        let pair =
            #/\b(?:sw(?:1\W?(?:sw)?2)?|status words?)[\s:=]{1,3}(?:0x)?([0-9a-f]{2})[ :,]{1,2}(?:0x)?([0-9a-f]{2})\b/#
        return replacing(parts.ignoresCase()) { "SW \($0.1)\($0.2)" }
            .replacing(pair.ignoresCase()) { "SW \($0.1)\($0.2)" }
    }
}
