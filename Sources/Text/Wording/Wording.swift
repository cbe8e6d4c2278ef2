/// Wording that prose needs in several places.
package enum Wording {
    /// A number with its noun: `1 credential`, `2 credentials`; the plural's default is the noun with an s.
    package static func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
        "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }
}
