internal import CTAP
package import DeviceActs
internal import Documents
internal import PlatformErrors
package import SimulatedDevice
internal import WebAuthnClient

/// A step that changes a simulated device.
package enum DeviceStep: Hashable, Sendable {
    case setPIN(String)
    case changePIN(from: String, to: String)
    /// Sends authenticatorReset.
    case reset
    /// Keeps the device's whole state under a name.
    case snapshot(name: String)
    /// Gives the device the state of a snapshot, its own or that of another of its kind.
    case restore(name: String)
    /// Copies passkeys to another device.
    case sharePasskey(PasskeyFilter, to: String)
    case replaceDevice(by: String)
    /// Performs `export-passkeys`, and keeps the document under a name.
    case exportPasskeys(DeviceAct, name: String)
    /// Performs `import-passkeys` with the document of a name.
    case importPasskeys(DeviceAct, name: String)
    case act(DeviceAct)
}

extension DeviceStep: StepKind {
    static let place = StepPlace.device
    var action: ScenarioStep.Action { .device(self) }

    static let verbs: [StepVerb] = ListBuilder<StepVerb>.list {
        verb("set-pin", .required("to", .scalar, "The PIN.")) { .setPIN($0) }
        verb(
            "change-pin", .required("from", .scalar, "The current PIN."), .required("to", .scalar, "The new PIN.")
        ) { .changePIN(from: $0, to: $1) }
        verb("reset") { .reset }
        verb("snapshot", .required("name", .text, "The snapshot's name.")) { .snapshot(name: $0) }
        verb("restore", .required("name", .text, "The name of an earlier snapshot.")) { .restore(name: $0) }
        verb(
            "share-passkey", .otherDevice("to", "The device that gets the passkeys."),
            .optional("account", .scalar, "Only passkeys of this account name."),
            .optional("relying-party", .text, "Only passkeys of this RP ID.")
        ) { .sharePasskey(PasskeyFilter(account: $1, relyingPartyID: $2), to: $0) }
        verb("replace-device", .otherDevice("by", "The new device.")) { .replaceDevice(by: $0) }
        DeviceAct.vocabulary.map { $0.movesDocument ? transfer($0) : StepVerb($0) }
    }

    var title: String {
        switch self {
        case .setPIN: "sets a PIN"
        case .changePIN: "changes the PIN"
        case .reset: "is reset"
        case .snapshot(let name): "takes the snapshot \(name)"
        case .restore(let name): "returns to the snapshot \(name)"
        case .sharePasskey(let filter, let other): "\(filter.words) is shared with \(other)"
        case .replaceDevice(let other): "is replaced by \(other)"
        case .exportPasskeys(let act, let name): "\(act.words) as \(name)"
        case .importPasskeys(let act, let name): "\(act.words) from \(name)"
        case .act(let act): act.words
        }
    }

    /// The second device of a step between two.
    var otherDevice: String? {
        switch self {
        case .sharePasskey(_, let other), .replaceDevice(let other): other
        case .setPIN, .changePIN, .reset, .snapshot, .restore, .exportPasskeys, .importPasskeys, .act: nil
        }
    }

    func obstacle(onReal device: String) -> String {
        switch self {
        case .setPIN, .changePIN, .reset:
            "\(device) is a real device; a scenario does not change its PIN and credentials; use `touchstone keys`"
        case .snapshot, .restore, .sharePasskey, .replaceDevice, .exportPasskeys, .importPasskeys, .act:
            "\(device) is a real device; this needs a simulated one"
        }
    }

    /// The operation whose platform errors its failure shows; nil for an act that no app asks for.
    var operation: PlatformOperation? { if case .act(let act) = self { act.operation } else { nil } }

    func perform(on simulation: StageDevice.Simulation, stage: Stage) async throws -> StepResult {
        let device = simulation.device
        switch self {
        case .setPIN(let pin): return await .of { try await simulation.pinClient.setPIN(pin) }
        case .changePIN(let old, let new):
            return await .of { try await simulation.pinClient.changePIN(from: old, to: new) }
        case .reset: return await .of { try await AuthenticatorClient(simulation.ctap).reset() }
        case .snapshot(let name): await stage.keep(try await device.exportState(), as: name)
        case .restore(let name): try await device.restore(try await stage.snapshot(name))
        case .sharePasskey(let filter, let other):
            let other = try stage.simulation(other).device
            var isNew = true
            var result = await StepResult.of { isNew = try await device.sharePasskeys(filter, with: other) }
            if !isNew { result.idleness = "the other device already has \(filter.words)" }
            return result
        case .replaceDevice(let other):
            let other = try stage.simulation(other).device
            return await .of { try await other.takeOver(from: device, in: stage.accounts) }
        case .exportPasskeys(let act, let name):
            let result = await simulation.perform(act)
            if let document = result.document { await stage.keep(document: document, as: name) }
            return StepResult(result)
        case .importPasskeys(let act, let name):
            return StepResult(await simulation.perform(act.reading(try await stage.document(name), named: name)))
        case .act(let act): return StepResult(await simulation.perform(act))
        }
        return StepResult()
    }
}
