internal import Documents
internal import WebAuthnClient

/// The answer to a page's request, which `page.js` hands to the page.
package enum PageAnswer: Sendable {
    /// The value as JSON, such as a credential.
    case value(json: [UInt8])
    case error(PageError)
    /// A conditional request that does not wait has no passkey to suggest.
    case nothing

    package func json() throws -> [UInt8] {
        switch self {
        case .value(let json): Array("{\"value\":".utf8) + json + Array("}".utf8)
        case .error(let error): try JSONValue.object(["error": error.json]).bytes()
        case .nothing: Array("{}".utf8)
        }
    }

    static let schema = Schema.named(
        "PageAnswer",
        .object(
            .optional("value", .any, "The value of the page's promise as JSON; null for a signal."),
            .optional(
                "error", .object(.required("name", .string()), .required("message", .string())),
                "The DOMException of the page's promise, or the TypeError.")))
}

/// An error as a page gets it: its name, and words that say nothing about the device.
package struct PageError: Error, Hashable, Sendable {
    /// The DOMException's name, or `TypeError`.
    package let name: String
    package let message: String

    init(_ name: String, _ message: String) { (self.name, self.message) = (name, message) }

    /// The error of a ceremony; a page learns the name only.
    init(_ failure: CeremonyFailure) {
        let isNotAllowed = failure.name == DOMExceptionName.notAllowedError.rawValue
        self = isNotAllowed ? .notAllowed : PageError(failure.name, "The operation failed.")
    }

    fileprivate var json: JSONValue { ["name": .text(name), "message": .text(message)] }

    static let notAllowed = notAllowed("The operation either timed out or was not allowed.")

    static func notAllowed(_ message: String) -> PageError { PageError("NotAllowedError", message) }
}
