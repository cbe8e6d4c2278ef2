package import Documents
package import LoopbackHTTP
internal import Wording

/// The names with this program's prefix in WebDriver's objects.
///
/// An unknown name there belongs to another program and is ignored; with this prefix it is a mistake.
package enum OwnNames {
    /// The capability for the device of a browser's session.
    package static let device = "touchstone:device"
    /// The option for the profile of a virtual authenticator.
    package static let profile = "touchstone:profile"

    private static let prefix = "touchstone:"

    /// - Throws: `invalid argument` for an unknown name with the prefix.
    package static func check(_ value: JSONValue?, known: String...) throws(APIError) {
        for name in (value?.object ?? [:]).keys.sorted() where name.lowercased().hasPrefix(prefix) {
            guard !known.contains(name) else { continue }
            let advice = known.isEmpty ? "remove it" : "use \(known.joined(separator: " or "))"
            throw WebDriverError.invalidArgument.because(Wording.sentence("“\(name)” is unknown here; \(advice)"))
        }
    }
}
