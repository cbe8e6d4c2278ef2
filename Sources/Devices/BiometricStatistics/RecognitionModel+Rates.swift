extension RecognitionModel {
    /// Reads a rate, such as `1:50000`, `3%`, `3 %` or `0.03`; nil for other text.
    public static func rate(_ text: String) -> Double? {
        let text = text.filter { $0 != " " }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var rate: Double?
        if parts.count == 2, let one = Double(parts[0]), let many = Double(parts[1]), many > 0 {
            rate = one / many
        } else if text.hasSuffix("%") {
            rate = Double(text.dropLast()).map { $0 / 100 }
        } else {
            rate = Double(text)
        }
        return rate.flatMap { (0...1).contains($0) ? $0 : nil }
    }
}
