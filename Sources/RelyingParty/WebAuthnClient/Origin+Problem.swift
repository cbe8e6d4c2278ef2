extension Origin {
    /// The reason why no response has a text as its origin, and the form to write; nil for a page's origin and an app's facet.
    package static func problem(of text: String) -> String? {
        // The facet of an Android app has another form than a URL.
        guard !text.hasPrefix("android:apk-key-hash:") else { return nil }
        do {
            _ = try Origin(parsing: text)
            return nil
        } catch {
            return "\"\(text)\" is not an origin: \(error). Write it like https://example.org."
        }
    }
}
