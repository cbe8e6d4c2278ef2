internal import Faults
internal import PlatformErrors
internal import SimulatedDevice

/// Cycles the power of a device and of its transports.
typealias PowerCycle = @Sendable () async -> Void

/// One kind of act: its form, narration and effect.
///
/// A new act is a new type of this kind, listed in ``DeviceAct/vocabulary``. Its properties hold the arguments; their
/// initial values are the defaults.
protocol DeclaredAct: Hashable, Sendable {
    typealias Form = ActForm<Self>

    static var form: Form { get }

    init()

    /// Checks the arguments against each other.
    func validate() throws(DeviceActError)
    /// The reason why a given argument has no effect on a device; nil when each has one.
    ///
    /// - Parameter given: the names of the given arguments, also those of a default's value.
    func idleness(of given: Set<String>, on device: SimulatedDevice) async -> String?
    /// The act's word for its change, of several under one word; nil for an act with one change.
    var variant: String? { get }
    /// The state that the device already has when the act changes nothing; nil where the act says it.
    var stateAlready: String? { get }
    /// The act as a report narrates it; the device or its user is the subject.
    var words: String { get }
    /// The operation an app asks the device for, if any.
    var operation: PlatformOperation? { get }
    /// The fault the act arms, if any.
    var fault: Fault? { get }
    /// The setting that the act changes; nil if the act takes effect at once.
    var setting: DeviceSettingChange? { get }
    /// Whether it can take the device a means of verifying its user.
    static var canEndVerification: Bool { get }
    /// Whether only a later event shows its effect: its own success says nothing.
    static var isPreparation: Bool { get }

    /// Whether it reads or makes a document, which terminals keep in files and scenarios under names.
    static var movesDocument: Bool { get }

    /// Performs the act, or changes nothing and throws the reason for a refusal.
    ///
    /// - Parameter powerCycle: nil for a device without transports.
    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult
}

extension DeclaredAct {
    func validate() throws(DeviceActError) {}
    func idleness(of given: Set<String>, on device: SimulatedDevice) async -> String? { nil }
    var variant: String? { nil }
    var stateAlready: String? { nil }
    var operation: PlatformOperation? { nil }
    var fault: Fault? { nil }
    var setting: DeviceSettingChange? { nil }
    static var canEndVerification: Bool { false }
    static var isPreparation: Bool { false }
    static var movesDocument: Bool { false }

    var word: String { Self.form.word }

    /// The texts of the arguments, by parameter name.
    var arguments: [String: String] {
        Self.form.parameters.reduce(into: [:]) { texts, parameter in texts[parameter.form.name] = parameter.write(self)
        }
    }
}

/// An act that only a device with a screen performs: a phone or a computer.
protocol ScreenAct: DeclaredAct {}

/// An act that sets a state: it has no effect on a device that is in this state.
protocol StateAct: DeclaredAct {}

extension StateAct {
    static var isPreparation: Bool { true }
}

/// An act without an answer that needs no transport.
protocol PlainAct: DeclaredAct {
    func perform(on device: SimulatedDevice) async throws
}

extension PlainAct {
    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        try await perform(on: device)
        return .done
    }
}

/// The word of an act with its help and its parameters.
struct ActForm<Act>: Sendable {
    let word: String
    let help: String
    let parameters: [ActParameter<Act>]

    init(_ word: String, _ help: String, _ parameters: ActParameter<Act>...) {
        self.word = word
        self.help = help
        self.parameters = parameters
    }
}

/// A parameter of an act, bound to the property that holds its argument.
struct ActParameter<Act>: Sendable {
    typealias Form = DeviceVerb.Parameter

    let form: Form
    /// The platforms that have it; nil for every one.
    let platforms: Set<Platform>?
    let read: @Sendable (String, inout Act) throws(DeviceActError) -> Void
    let write: @Sendable (Act) -> String?

    static func required<Value: ActArgument>(
        _ name: String, _ property: any WritableKeyPath<Act, Value> & Sendable, of kind: Form.Kind = Value.kind,
        _ meaning: String
    ) -> Self {
        Self(Form(name: name, kind: kind, isRequired: true, meaning: meaning), nil, property)
    }

    static func optional<Value: ActArgument>(
        _ name: String, _ property: any WritableKeyPath<Act, Value> & Sendable, of kind: Form.Kind = Value.kind,
        on platforms: Set<Platform>? = nil, _ meaning: String
    ) -> Self {
        Self(Form(name: name, kind: kind, isRequired: false, meaning: meaning), platforms, property)
    }

    private init<Value: ActArgument>(
        _ form: Form, _ platforms: Set<Platform>?, _ property: any WritableKeyPath<Act, Value> & Sendable
    ) {
        (self.form, self.platforms) = (form, platforms)
        read = { text, act throws(DeviceActError) in
            try form.check(text)
            do {
                act[keyPath: property] = try Value(text: text)
            } catch {
                throw DeviceActError(parameter: form.name, "\(error)")
            }
        }
        write = { $0[keyPath: property].text }
    }
}

extension Set<Platform> {
    static let apple: Self = [.ios, .macos]
    static let android: Self = [.android]
    static let allExceptAndroid: Self = Set(Platform.allCases).subtracting([.android])
}

extension DeclaredAct {
    /// The first given argument that a platform does not have; nil for none.
    func argument(_ given: Set<String>, missingOn platform: Platform) -> String? {
        Self.form.parameters.first { parameter in
            given.contains(parameter.form.name) && parameter.platforms?.contains(platform) == false
        }?.form.name
    }
}
