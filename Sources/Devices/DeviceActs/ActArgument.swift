internal import Biometrics
internal import Faults
internal import SimulatedDevice

/// A value that an argument is read as.
protocol ActArgument: Hashable, Sendable {
    /// The arguments that are read.
    static var kind: DeviceVerb.Parameter.Kind { get }

    /// Reads an argument of the ``kind``.
    ///
    /// - Throws: an error that says what was expected.
    init(_ argument: DeviceVerb.Argument) throws

    /// The text that is read as this value; nil for an absent value.
    var text: String? { get }
}

/// An argument that is not of its type's kind.
private struct ArgumentError: Error, CustomStringConvertible {
    let argument: DeviceVerb.Argument
    var description: String { "unknown value \"\(argument.text)\"" }
}

extension ActArgument where Self: RawRepresentable & CaseIterable, RawValue == String {
    static var kind: DeviceVerb.Parameter.Kind { .choice(allCases.map(\.rawValue)) }

    init(_ argument: DeviceVerb.Argument) throws {
        guard let value = Self(rawValue: argument.text) else { throw ArgumentError(argument: argument) }
        self = value
    }

    var text: String? { rawValue }
}

extension AppAct: ActArgument {}
extension AppVerification: ActArgument {}
extension BiometricModality: ActArgument {}
extension DeletionReach: ActArgument {}
extension PasscodeChange: ActArgument {}
extension SecureStorage.Access: ActArgument {}
extension SecureStorage.Accessibility: ActArgument {}
extension SensorAvailability: ActArgument {}
extension StrongAuthenticationReason: ActArgument {}

extension StrengthClass: ActArgument {
    static var kind: DeviceVerb.Parameter.Kind { .choice(allCases.map { "class\($0.rawValue)" }) }

    init(_ argument: DeviceVerb.Argument) throws {
        guard let strength = Self.allCases.first(where: { $0.text == argument.text }) else {
            throw ArgumentError(argument: argument)
        }
        self = strength
    }

    var text: String? { "class\(rawValue)" }
}

extension String: ActArgument {
    static var kind: DeviceVerb.Parameter.Kind { .text }
    init(_ argument: DeviceVerb.Argument) { self = argument.text }
    var text: String? { self }
}

extension Int: ActArgument {
    static var kind: DeviceVerb.Parameter.Kind { .number(0...Int.max) }

    init(_ argument: DeviceVerb.Argument) throws {
        guard let number = argument.number else { throw ArgumentError(argument: argument) }
        self = number
    }

    var text: String? { String(self) }
}

extension Optional: ActArgument where Wrapped: ActArgument {
    static var kind: DeviceVerb.Parameter.Kind { Wrapped.kind }
    init(_ argument: DeviceVerb.Argument) throws { self = .some(try Wrapped(argument)) }
    var text: String? { self?.text }
}

extension Fault: ActArgument {
    static var kind: DeviceVerb.Parameter.Kind { .text }
    init(_ argument: DeviceVerb.Argument) throws { self = try Fault(parsing: argument.text) }
    var text: String? { spelling }
}
