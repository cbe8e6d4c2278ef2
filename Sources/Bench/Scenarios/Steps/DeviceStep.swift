internal import CTAP
package import DeviceActs
internal import Documents
internal import PlatformErrors
package import SimulatedDevice
internal import WebAuthnClient

/// A step that changes a simulated device.
package enum DeviceStep: Hashable, Sendable {
    /// Sets a client PIN.
    case setPIN(String)
    /// Changes the client PIN.
    case changePIN(from: String, to: String)
    /// Sends authenticatorReset.
    case reset
    /// Keeps the device's whole state under a name.
    case snapshot(name: String)
    /// Gives the device the state of a snapshot, its own or that of another of its kind.
    case restore(name: String)
    /// Copies passkeys to another device.
    case sharePasskey(PasskeyFilter, to: String)
    /// Another device takes its place.
    case replaceDevice(by: String)
    /// Something is done to the device.
    case act(DeviceAct)
}

extension DeviceStep {
    static let verbs =
        [
            verb("set-pin", keys: ["to"]) { fields throws(SourceError) in
                .setPIN(try fields.required("to").string())
            },
            verb("change-pin", keys: ["from", "to"]) { fields throws(SourceError) in
                .changePIN(from: try fields.required("from").string(), to: try fields.required("to").string())
            },
            verb("reset") { _ in .reset },
            verb("snapshot", keys: ["name"]) { fields throws(SourceError) in
                .snapshot(name: try fields.required("name").string())
            },
            verb("restore", keys: ["name"]) { fields throws(SourceError) in
                .restore(name: try fields.required("name").string())
            },
            verb("share-passkey", keys: ["to", "account", "relying-party"]) { fields throws(SourceError) in
                let filter = PasskeyFilter(
                    account: try fields["account"]?.string(),
                    relyingPartyID: try fields["relying-party"]?.string())
                return .sharePasskey(filter, to: try fields.otherDevice("to"))
            },
            verb("replace-device", keys: ["by"]) { fields throws(SourceError) in
                .replaceDevice(by: try fields.otherDevice("by"))
            },
        ]
        + DeviceAct.vocabulary.map { act in
            verb(act.word, keys: Set(act.parameters.map(\.name))) { fields throws(SourceError) in
                .act(try fields.act(act))
            }
        }

    private static func verb(
        _ word: String, keys: Set<String> = [],
        read: @escaping @Sendable (StepFields) throws(SourceError) -> DeviceStep
    ) -> StepVerb {
        StepVerb(word, at: .device, keys: keys) { fields throws(SourceError) in .device(try read(fields)) }
    }

    /// The step in a few words.
    var title: String {
        switch self {
        case .setPIN: "sets a PIN"
        case .changePIN: "changes the PIN"
        case .reset: "is reset"
        case .snapshot(let name): "takes the snapshot \(name)"
        case .restore(let name): "returns to the snapshot \(name)"
        case .sharePasskey(let filter, let other): "\(filter.words) is shared with \(other)"
        case .replaceDevice(let other): "is replaced by \(other)"
        case .act(let act): act.words
        }
    }

    /// The second device of a step between two.
    var otherDevice: String? {
        switch self {
        case .sharePasskey(_, let other), .replaceDevice(let other): other
        case .setPIN, .changePIN, .reset, .snapshot, .restore, .act: nil
        }
    }

    /// The reason a real device does not take the step.
    func obstacle(onReal device: String) -> String {
        switch self {
        case .setPIN, .changePIN, .reset:
            "\(device) is a real device, whose PIN and credentials a scenario leaves alone"
        case .snapshot, .restore, .sharePasskey, .replaceDevice, .act:
            "\(device) is a real device; this needs a simulated one"
        }
    }

    /// The operation whose platform errors its failure shows; nil for what no app asks for.
    var operation: PlatformOperation? {
        if case .act(let act) = self { act.operation } else { nil }
    }

    /// Plays the step.
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
            return await .of { try await device.sharePasskeys(filter, with: other) }
        case .replaceDevice(let other):
            let other = try stage.simulation(other).device
            return await .of { try await other.takeOver(from: device, in: stage.accounts) }
        case .act(let act): return StepResult(await simulation.perform(act))
        }
        return StepResult()
    }
}
