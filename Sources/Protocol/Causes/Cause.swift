/// The reason something was refused or failed, as a stable name such as `lockedOut.timed`.
///
/// One cause has many forms: a CTAP status, a `DOMException`, an `LAError`, a sentence. A cause is created where the
/// failure occurs and reaches the report unchanged. It is a struct, not an enum, so that a name of a later version is
/// kept. Encoded as its name.
public struct Cause: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name: words in camel case, with a qualifier after a dot where two causes differ in one respect.
    public let rawValue: String

    /// Wraps any name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Wraps any name, known or not.
    public init(_ name: String) { self.init(rawValue: name) }

    /// The name.
    public var description: String { rawValue }
}

/// An error that carries its cause.
public protocol CausedError: Error {
    /// The cause.
    var cause: Cause { get }
    /// A sentence that says more than the cause; nil if the cause says it all.
    var explanation: String? { get }
}

extension CausedError {
    /// Default: nil, the cause says it all.
    public var explanation: String? { nil }
}

/// Any error with a cause: its own, or ``Cause/storageFailed`` for an error of a device's storage, which carries none.
package struct AttributedError: CausedError {
    package let cause: Cause
    package let explanation: String?

    package init(_ error: any Error) {
        let caused = error as? any CausedError
        cause = caused?.cause ?? .storageFailed
        explanation = caused.map(\.explanation) ?? "\(error)"
    }
}
