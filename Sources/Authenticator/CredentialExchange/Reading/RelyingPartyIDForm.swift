/// The form of an RP ID in a document: a domain in lowercase ASCII, or `localhost`.
enum RelyingPartyIDForm {
    /// The mistake and the remedy; nil for an RP ID.
    static func mistake(in text: String) -> String? {
        let remedy = "write the domain alone, such as example.com"
        if text.isEmpty { return "is empty; \(remedy)" }
        if text.contains("/") || text.contains(":") { return "is an address, not an RP ID; \(remedy)" }
        if text != text.lowercased() { return "has capital letters; \(remedy)" }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, labels.allSatisfy(isLabel), labels.count > 1 || text == "localhost" else {
            return "is not a domain; \(remedy)"
        }
        if labels.last?.allSatisfy(\.isNumber) ?? false { return "is an IP address, not an RP ID; \(remedy)" }
        return nil
    }

    /// Whether a text is a label of a domain (RFC 1123 §2.1; IDNs in their ASCII form).
    private static func isLabel(_ text: Substring) -> Bool {
        (1...63).contains(text.utf8.count) && text.first != "-" && text.last != "-"
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                    // Some hosts have it, though no registered domain does.
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
