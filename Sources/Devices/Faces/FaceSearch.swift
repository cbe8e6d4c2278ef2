extension FaceTable {
    /// A cell that shows a code somebody asked about.
    public struct Match: Hashable, Sendable {
        public let outcome: FaceOutcome
        public let layer: FaceLayer
        public let entry: FaceEntry
    }

    /// The causes behind a code somebody has in a log: every cell that each word fits.
    ///
    /// A word fits the name of an interface (its own or the table's), the number as any program may print it, or part
    /// of a code's name; case makes no difference. `LAError -8`, `biometryLockout` and `UV_BLOCKED 0x3c` all find.
    public func search(_ query: String) -> [Match] {
        let words = query.lowercased().split(whereSeparator: { " :,()=\t".contains($0) }).map(String.init)
        guard !words.isEmpty else { return [] }
        return (outcomes + hints).flatMap { outcome in
            outcome.entries.compactMap { entry in
                guard let layer = layer(entry.layer), words.allSatisfy({ fits($0, layer, entry.code) }) else {
                    return nil
                }
                return Match(outcome: outcome, layer: layer, entry: entry)
            }
        }
    }

    private func fits(_ word: String, _ layer: FaceLayer, _ code: FaceCode) -> Bool {
        let name = layer.name.lowercased()
        if word == layer.id || name.split(separator: " ").contains(Substring(word)) { return true }
        if let number = code.number {
            if word == String(number) || word == layer.written(number).lowercased() { return true }
            // HRESULTs are often printed as the negative numbers they are in 32 bits.
            if let narrow = UInt32(exactly: number), word == String(Int32(bitPattern: narrow)) { return true }
            if Int(word) != nil || word.hasPrefix("0x") { return false }
        }
        return word.count >= 3 && code.name.lowercased().contains(word)
    }
}
