extension Origin {
    /// Whether a text is the facet of an Android app, which has another form than a URL: `android:apk-key-hash:`, and the hash
    /// of the app's signing certificate in base64url.
    package static func isAndroidFacet(_ text: String) -> Bool { text.hasPrefix("android:apk-key-hash:") }

    /// The reason why no response has a text as its origin, and the form to write; nil for a page's origin and an app's facet.
    package static func problem(of text: String) -> String? {
        guard !isAndroidFacet(text) else { return nil }
        do {
            _ = try Origin(parsing: text)
            return nil
        } catch {
            return "\"\(text)\" is not an origin: \(error). Write it like https://example.org."
        }
    }
}
