internal import Causes

extension PlatformErrorTable {
    /// A cell with a code that fits a query.
    package struct Match: Hashable, Sendable {
        package let outcome: PlatformErrorRow
        package let interface: PlatformInterface
        package let cell: PlatformErrorCell
    }

    /// The causes of a code from a log: every cell that each word fits.
    ///
    /// A word fits the display name or table name of an interface, a number in any notation, or part of a code's name.
    /// Case, underscores and the prefixes of logs are ignored: `LAError -8`, `biometryLockout`, `LAErrorDomain Code=-8`
    /// and `FIDO_ERR_UV_BLOCKED` all fit. The label of a refusal, such as `clientPIN.builtInUV.lockedOut.timed`, finds
    /// every cell of its cause. Without such a cell, the query is read as a whole line of a log.
    package func search(_ query: String) -> [Match] {
        if let cause = causeOfLabel(query) {
            return cause.cells.compactMap { cell in
                interface(cell.interface).map { Match(outcome: cause, interface: $0, cell: cell) }
            }
        }
        let words = query.split(whereSeparator: { " :,()=\t".contains($0) })
            .map { Self.plain(String($0)) }.filter { !Self.filler.contains($0) }
        guard !words.isEmpty else { return [] }
        let found = search(words: words)
        return found.isEmpty ? search(line: query) : found
    }

    private func search(words: [String]) -> [Match] {
        (outcomes + hints).flatMap { outcome in
            outcome.cells.compactMap { cell in
                guard let interface = interface(cell.interface), words.allSatisfy({ fits($0, interface, cell.code) })
                else {
                    return nil
                }
                return Match(outcome: outcome, interface: interface, cell: cell)
            }
        }
    }

    private func fits(_ word: String, _ interface: PlatformInterface, _ code: PlatformErrorCode) -> Bool {
        let name = interface.name.lowercased()
        if word.hasSuffix("domain"), name.split(separator: " ").contains(Substring(word.dropLast(6))) { return true }
        if word == interface.id || name.split(separator: " ").contains(where: { Self.plain(String($0)) == word }) {
            return true
        }
        if let number = code.number {
            if word == String(number) || word == interface.written(number).lowercased() { return true }
            // Logs often print an HRESULT as a negative 32-bit number.
            if let narrow = UInt32(exactly: number), word == String(Int32(bitPattern: narrow)) { return true }
            if Int(word) != nil || word.hasPrefix("0x") { return false }
        }
        guard word.count >= 3 else { return false }
        let ownName = Self.plain(code.name)
        // LAErrorBiometryLockout, LAError.biometryLockout: interface and name in one.
        let prefix = name.filter { $0 != " " }
        return ownName.contains(word) || (word.hasPrefix(prefix) && word == prefix + ownName)
    }

    /// Words that logs write around a code.
    private static let filler: Set<String> = ["code", "errorcode", "error", "domain"]

    /// A name without case, underscores, dots and the prefixes of C constants.
    static func plain(_ word: String) -> String {
        var word = word.lowercased()
        for prefix in ["ctap2_err_", "ctap1_err_", "ctap_err_", "fido_err_", "ctap."] where word.hasPrefix(prefix) {
            word.removeFirst(prefix.count)
        }
        if filler.contains(word) || Int(word) != nil { return word }
        return word.filter { $0 != "_" && $0 != "." }
    }

    /// The row of a refusal's label: its last parts are the cause.
    private func causeOfLabel(_ query: String) -> PlatformErrorRow? {
        let parts = query.split(separator: ".")
        guard parts.count > 2 else { return nil }
        return (1..<parts.count).lazy.compactMap { outcome(Cause(parts.dropFirst($0).joined(separator: "."))) }.first
    }
}
