internal import CTAP
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
        case .error(let error):
            try JSONValue.object(
                ["error": error.json, "warning": error.warning.map(JSONValue.text)].compactMapValues(\.self)
            )
            .bytes()
        case .nothing: Array("{}".utf8)
        }
    }

    static let schema = Schema.named(
        "PageAnswer",
        .object(
            .optional("value", .any, "The value of the page's promise as JSON; null for a signal."),
            .optional(
                "error", .object(.required("name", .string()), .required("message", .string())),
                "The DOMException of the page's promise, or the TypeError."),
            .optional(
                "warning", .string(),
                "The device and the error's reason, for the console of the document's isolated world; the page does not receive them."
            )))
}

/// An error as a page gets it: its name, and words that say nothing about the device.
package struct PageError: Error, Hashable, Sendable {
    /// The DOMException's name, or `TypeError`.
    package let name: String
    /// Chromium's words; `refusals.js` has those of other browsers.
    package let message: String
    /// The device and the bench's reason, for a developer.
    package private(set) var warning: String?

    init(_ name: String, _ message: String) { (self.name, self.message) = (name, message) }

    /// The error of a ceremony; a page learns the name only.
    ///
    /// Browsers show a capability that the device lacks, and a failure of the device, as a refusal.
    init(_ failure: CeremonyFailure, of request: PageRequest, by caller: PageCaller?, on device: ManagedDevice?) {
        let isUnsupportedAlgorithm = failure.ctapStatus == Int(CTAPStatus.unsupportedAlgorithm.rawValue)
        let isRefusal =
            switch DOMExceptionName(rawValue: failure.name) {
            case .constraintError: request.kind != .create || !request.isConditional
            case .notSupportedError: isUnsupportedAlgorithm
            case .notAllowedError, .unknownError: true
            default: false
            }
        self = isRefusal ? .notAllowed : PageError(failure.name, Self.words(failure, request, caller))
        warning = device.map { device in
            "Touchstone: the device “\(device.name)” ends \(request.kind.rawValue)() with \(name): "
                + failure.reasons.joined(separator: "; ")
        }
    }

    private static func words(_ failure: CeremonyFailure, _ request: PageRequest, _ caller: PageCaller?) -> String {
        switch DOMExceptionName(rawValue: failure.name) {
        case .invalidStateError:
            "The user attempted to register an authenticator that contains one of the credentials already registered with the relying party."
        case .securityError: caller?.words(for: request.relyingPartyID) ?? invalidDomain
        default: failure.detail ?? "The operation failed."
        }
    }

    fileprivate var json: JSONValue { ["name": .text(name), "message": .text(message)] }

    static let notAllowed = notAllowed(
        "The operation either timed out or was not allowed. See: https://www.w3.org/TR/webauthn-2/#sctn-privacy-considerations-client."
    )

    static let noDevice: PageError = {
        var error = notAllowed
        error.warning = "Touchstone: no device answers this page's requests for passkeys; start or attach one."
        return error
    }()

    static func notAllowed(_ message: String) -> PageError { PageError("NotAllowedError", message) }

    static let invalidDomain = "This is an invalid domain."
}

extension CeremonyFailure {
    /// The client's reason and the device's, for a developer.
    fileprivate var reasons: [String] {
        let status = ctapStatus.flatMap { UInt8(exactly: $0) }.map { "status \(CTAPStatus(rawValue: $0))" }
        return ["\(cause), \(clause)", status, detail, deviceReason.map { "the device's reason is \($0)" }]
            .compactMap(\.self)
    }
}
