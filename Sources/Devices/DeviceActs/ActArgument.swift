internal import Biometrics
internal import Faults
internal import SimulatedDevice
internal import Wording

/// A value that an argument is read as.
protocol ActArgument: Hashable, Sendable {
    static var kind: DeviceVerb.Parameter.Kind { get }

    /// Reads a text of the ``kind``, or throws an error with the expected form.
    init(text: String) throws

    /// The text that is read as this value; nil for an absent value.
    var text: String? { get }
}

/// A text that is not of its type's kind.
private struct UnknownValue: Error, CustomStringConvertible {
    let text: String
    var description: String { "unknown value \"\(text)\"" }
}

extension ActArgument where Self: CaseIterable {
    static var kind: DeviceVerb.Parameter.Kind { .choice(allCases.compactMap(\.text)) }

    init(text: String) throws {
        guard let value = Self.allCases.first(where: { $0.text == text }) else { throw UnknownValue(text: text) }
        self = value
    }
}

/// The choice of a case is its raw value in lowercase words with hyphens.
extension ActArgument where Self: RawRepresentable, RawValue == String {
    var text: String? { rawValue.hyphenated }
}

extension AppAct: ActArgument {}
extension AppVerification: ActArgument {}
extension BiometricModality: ActArgument {}
extension DeletionReach: ActArgument {}
extension DevicePlace: ActArgument {}
extension PasscodeChange: ActArgument {}
extension SecureStorage.Access: ActArgument {}
extension SecureStorage.Accessibility: ActArgument {}
extension SecureStorage.KeyAlgorithm: ActArgument {
    var text: String? { rawValue }
}

extension SensorAvailability: ActArgument {}
extension StrongAuthenticationReason: ActArgument {}

extension StrengthClass: ActArgument {
    var text: String? { "class\(rawValue)" }
}

extension String: ActArgument {
    static var kind: DeviceVerb.Parameter.Kind { .text }
    init(text: String) { self = text }
    var text: String? { self }
}

extension Int: ActArgument {
    static var kind: DeviceVerb.Parameter.Kind { .number(0...Int.max) }

    init(text: String) throws {
        guard let number = Int(text) else { throw UnknownValue(text: text) }
        self = number
    }

    var text: String? { String(self) }
}

extension Bool: ActArgument {
    static var kind: DeviceVerb.Parameter.Kind { .choice(["yes", "no"]) }
    init(text: String) { self = text == "yes" }
    var text: String? { self ? "yes" : "no" }
}

/// The setting of a switch.
enum Switch: String, CaseIterable, ActArgument { case on, off }

extension Optional: ActArgument where Wrapped: ActArgument {
    static var kind: DeviceVerb.Parameter.Kind { Wrapped.kind }
    init(text: String) throws { self = .some(try Wrapped(text: text)) }
    var text: String? { self?.text }
}

extension Fault: ActArgument {
    static var kind: DeviceVerb.Parameter.Kind { .text }
    init(text: String) throws { self = try Fault(parsing: text) }
    var text: String? { spelling }
}
