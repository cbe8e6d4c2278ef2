internal import Biometrics
package import Causes
package import Faults
package import PlatformErrors
package import SimulatedDevice
internal import VirtualAuthenticator
internal import Wording

/// An act on a simulated device by a scenario, a terminal command or the control API.
///
/// The user's act at a prompt is a ``UserAct``.
package struct DeviceAct: Hashable, Sendable {
    private let declared: any DeclaredAct
    /// The names of the given arguments.
    private let given: Set<String>

    /// The words of all acts, in the order help texts list them.
    package static let vocabulary: [DeviceVerb] = {
        let acts: [any DeclaredAct.Type] = [
            Enrol.self, Unenrol.self, ChangeSensor.self, LockOut.self, RequirePasscode.self,
            LockScreen.self, UnlockScreen.self, ChangePasscode.self, Reboot.self, SetAirplaneMode.self,
            CyclePower.self, ArmFault.self, ClearFaults.self,
            ForgetPasskey.self, RenamePasskey.self, DelayPasskey.self, ExportPasskeys.self, ImportPasskeys.self,
            ChangeApp.self, ChangePermission.self,
            VerifyUser.self, CheckVerification.self, ReadLockout.self, CompareEnrolment.self, InvalidateContext.self,
            StoreSecret.self, ReadSecret.self, CheckSecret.self, DeleteSecret.self, MakeKey.self, Sign.self,
            SetTheftProtection.self, MoveDevice.self,
        ]
        return acts.map { DeviceVerb($0) }
    }()

    package static func verb(_ word: String) -> DeviceVerb? { vocabulary.first { $0.word == word } }

    init(_ declared: some DeclaredAct, given: Set<String> = []) { (self.declared, self.given) = (declared, given) }

    /// Reads an act: a word of ``vocabulary`` and arguments by parameter name.
    ///
    /// - Throws: ``DeviceActError`` with the wrong parameter and the expected value.
    package init(verb word: String, arguments: [String: String] = [:]) throws(DeviceActError) {
        guard let verb = Self.verb(word) else {
            let words = Self.vocabulary.map(\.word)
            throw DeviceActError(
                parameter: nil,
                "unknown act \"\(word)\"; expected one of \(words.joined(separator: ", "))"
                    + NearestNames.question(word, among: words))
        }
        self = try verb.read(arguments)
    }

    package var word: String { declared.word }

    /// The texts of the arguments, by parameter name; `init(verb:arguments:)` reads them back.
    package var arguments: [String: String] { declared.arguments }

    /// The arguments as records keep them: a document, which has private keys, by its length.
    package var recordedArguments: [String: String] {
        let documents = Self.verb(word)?.parameters.filter { $0.kind == .document }.map(\.name) ?? []
        return documents.reduce(into: arguments) { arguments, name in
            arguments[name] = arguments[name].map { "\($0.utf8.count) bytes" }
        }
    }

    package var words: String { declared.words }

    /// The word of the change that the act makes: its own word, or one of several changes under it, such as `launch`.
    package var changeWord: String { declared.variant ?? word }

    package var operation: PlatformOperation? { declared.operation }

    /// The act with the document that it reads; other acts are unchanged.
    ///
    /// - Parameter name: the document's name, for the places of mistakes.
    package func reading(_ document: String, named name: String) -> DeviceAct {
        guard var act = declared as? ImportPasskeys else { return self }
        (act.document, act.documentName) = (document, name)
        return DeviceAct(act, given: given)
    }

    package var needsScreen: Bool { declared is any ScreenAct }

    package var fault: Fault? { declared.fault }

    package var setting: DeviceSettingChange? { declared.setting }

    /// Whether the act can take the device a means of verifying its user.
    package var canEndVerification: Bool { type(of: declared).canEndVerification }

    /// Whether only a later event shows its effect; ``setting`` has the event of one that changes a setting.
    package var isPreparation: Bool { type(of: declared).isPreparation }

    fileprivate var setsState: Bool { declared is any StateAct }

    fileprivate var idleness: String {
        "the device was already in this state" + (declared.stateAlready.map { ": \($0)" } ?? "")
    }

    package static func == (first: Self, second: Self) -> Bool {
        AnyHashable(first.declared) == AnyHashable(second.declared)
    }

    package func hash(into hasher: inout Hasher) { declared.hash(into: &hasher) }

    fileprivate func perform(on device: SimulatedDevice, _ powerCycle: PowerCycle?) async throws -> DeviceActResult {
        if needsScreen { try device.requireScreen() }
        let platform = device.platform
        if let name = declared.argument(given, missingOn: platform) {
            return .refused(.notOnThisPlatform, "\(word) has no \(name) on \(platform.displayName); remove it")
        }
        if let reason = await declared.idleness(of: given, on: device) { return .idle(reason) }
        return try await declared.perform(on: device, powerCycle: powerCycle)
    }
}

extension DeviceAct: Codable {
    private enum CodingKeys: String, CodingKey { case verb, arguments }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            verb: values.decode(String.self, forKey: .verb),
            arguments: values.decode([String: String].self, forKey: .arguments))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(word, forKey: .verb)
        // Another argument with its default would count as given, and be refused where the platform lacks it.
        try values.encode(arguments.filter { given.contains($0.key) }, forKey: .arguments)
    }
}

/// The result of an act.
package struct DeviceActResult: Hashable, Sendable {
    /// The cause of a refusal; nil on success.
    package let cause: Cause?
    /// A sentence that says more than the cause, if there is one.
    package let explanation: String?
    /// The answer to the caller, such as the secret that was read; nil when there is none.
    package let answer: String?
    /// The document that the act made, which has private keys; nil for none.
    package let document: String?
    /// The reason why the act changed nothing, such as a state that the device already had; nil for an act with an effect.
    package let idleness: String?

    init(
        cause: Cause?, explanation: String? = nil, answer: String? = nil, document: String? = nil,
        idleness: String? = nil
    ) {
        self.cause = cause
        self.explanation = explanation
        self.answer = answer
        self.document = document
        self.idleness = idleness
    }

    package static let done = DeviceActResult(cause: nil)

    package static func told(_ answer: String?) -> DeviceActResult { DeviceActResult(cause: nil, answer: answer) }

    package static func refused(_ cause: Cause, _ explanation: String? = nil) -> DeviceActResult {
        DeviceActResult(cause: cause, explanation: explanation)
    }

    /// An act that is neither refused nor changes anything.
    static func idle(_ reason: String) -> DeviceActResult { DeviceActResult(cause: nil, idleness: reason) }

    /// Whether the device did the act: it neither refused it nor was it without an effect.
    package var isDone: Bool { cause == nil && idleness == nil }

    /// The reason why the act was not done, for the user; nil for one that was.
    package var reason: String? { explanation ?? cause?.rawValue ?? idleness }
}

extension SimulatedDevice {
    /// Performs an act; a refused one changes nothing.
    ///
    /// - Parameter powerCycle: cycles the power of the device and its transports; nil for a device without transports.
    package func perform(_ act: DeviceAct, powerCycle: (@Sendable () async -> Void)? = nil) async -> DeviceActResult {
        do {
            guard act.setsState else { return try await act.perform(on: self, powerCycle) }
            let before = await condition
            let result = try await act.perform(on: self, powerCycle)
            guard result.isDone, await condition == before else { return result }
            return .idle(act.idleness)
        } catch {
            let error = AttributedError(error)
            return .refused(error.cause, error.explanation)
        }
    }
}

/// Everything that a ``StateAct`` can change.
private struct DeviceCondition: Equatable {
    let life: LifeState
    let gate: UserVerificationGate?
    let faults: [String]
}

extension SimulatedDevice {
    fileprivate var condition: DeviceCondition {
        get async {
            DeviceCondition(life: lifeState, gate: await authenticator.gate, faults: await armedFaults)
        }
    }
}
