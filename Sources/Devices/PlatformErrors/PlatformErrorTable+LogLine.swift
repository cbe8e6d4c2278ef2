internal import Causes

extension PlatformErrorTable {
    /// The cells that a line of a log reports.
    ///
    /// The line names an interface, as in `Domain=com.apple.LocalAuthentication` or `E/BiometricPrompt`, and a code by its
    /// number; or it holds the whole name of a code, as in `…exceptions.NoCredentialException: No credentials available`.
    /// The rest of the line is ignored, and so is the beginning of a log's line: date, time, process and thread.
    func search(line: String) -> [Match] {
        let words = Self.message(of: line).split { !($0.isLetter || $0.isNumber || "._-+".contains($0)) }
            .map { $0.drop { ".+".contains($0) }.trimmingSuffix(".-") }.filter { !$0.isEmpty }
        let named = interfaces.filter { interface in words.contains { interface.isNamed(by: $0) } }
        let numbers = Self.numbers(words)
        return (outcomes + hints).flatMap { outcome in
            outcome.cells.compactMap { cell in
                guard let interface = interface(cell.interface) else { return nil }
                let isNumbered =
                    named.contains { $0.id == interface.id } && numbers.contains(where: cell.code.isWritten)
                let isNamed =
                    (named.isEmpty || named.contains { $0.id == interface.id })
                    && words.contains { cell.code.isNamed(by: $0, inProse: named.isEmpty) }
                return isNumbered || isNamed ? Match(outcome: outcome, interface: interface, cell: cell) : nil
            }
        }
    }

    /// A line without the date, the time and the numbers of process and thread at its beginning.
    private static func message(of line: String) -> Substring {
        line.prefixMatch(of: /\s*(?:[0-9]{2,4}-[0-9-]+[ T])?[0-9]{1,2}:[0-9:.,]+(?:Z|[+-][0-9:]+)?(?:\s+[0-9]+)*/)
            .map { line[$0.range.upperBound...] } ?? line[...]
    }

    /// The numbers of codes: those after a word such as `Code`; without any, all numbers.
    private static func numbers(_ words: [Substring]) -> [Substring] {
        let markers: Set<String> = ["code", "errorcode", "errcode", "error", "status", "osstatus", "hresult"]
        let marked = zip(words, words.dropFirst()).filter { markers.contains($0.lowercased()) && $1.isNumber }.map(\.1)
        return marked.isEmpty ? words.filter(\.isNumber) : marked
    }
}

extension PlatformInterface {
    /// Whether a word of a log stands for the interface: its name, one of its domains, or something in one of them.
    fileprivate func isNamed(by word: Substring) -> Bool {
        let word = word.lowercased()
        return ([name] + domains).contains { domain in
            let domain = domain.lowercased()
            return word == domain || word.hasPrefix(domain + ".")
        }
    }
}

extension PlatformErrorCode {
    /// Whether a number of a log is the code's, in decimal or hexadecimal digits.
    fileprivate func isWritten(_ text: Substring) -> Bool {
        guard let number else { return false }
        let found = text.lowercased().hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
        // Logs often print an HRESULT as a negative 32-bit number.
        return found == number || found == UInt32(exactly: number).map { Int(Int32(bitPattern: $0)) }
    }

    /// Whether a word of a log is the code's name, optionally after the path of its class.
    ///
    /// - Parameter inProse: Whether only identifiers count, such as `ERROR_LOCKOUT` and `NotAllowedError`.
    fileprivate func isNamed(by word: Substring, inProse: Bool) -> Bool {
        let last = word.split(separator: ".").last ?? word
        guard PlatformErrorTable.plain(String(last)) == PlatformErrorTable.plain(name) else { return false }
        return !inProse || last.contains("_") || last.dropFirst().contains(where: \.isUppercase)
    }
}

extension Substring {
    fileprivate var isNumber: Bool { Int(self) != nil || lowercased().hasPrefix("0x") }

    fileprivate func trimmingSuffix(_ characters: String) -> Substring {
        var text = self
        while let last = text.last, characters.contains(last) { text.removeLast() }
        return text
    }
}
