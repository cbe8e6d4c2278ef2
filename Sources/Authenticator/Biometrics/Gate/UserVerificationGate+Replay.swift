extension UserVerificationGate {
    /// Applies one recorded input.
    ///
    /// - Throws: the ``GateError`` of the input's own method.
    public mutating func apply(_ input: GateInput, at now: Duration) throws(GateError) -> GateEvent {
        switch input {
        case .begin(let options): begin(options, at: now)
        case .present(let act): present(act, at: now)
        case .enterDeviceCredential(let correct): enterDeviceCredential(correct: correct, at: now)
        case .enrol(let template, let modality): try enrol(template, on: modality, at: now)
        case .replace(let id, let template, let modality):
            try replace(templateID: id, with: template, on: modality, at: now)
        case .rename(let id, let name, let modality): try rename(templateID: id, to: name, on: modality, at: now)
        case .removeTemplate(let id, let modality): try removeTemplate(id: id, on: modality, at: now)
        case .removeAllTemplates: removeAllTemplates(at: now)
        case .setAvailability(let availability, let modality): setAvailability(availability, on: modality, at: now)
        case .setDeviceCredential(let kind): setDeviceCredential(kind, at: now)
        case .resetDeviceCredential(let kind): resetDeviceCredential(kind, at: now)
        case .removeDeviceCredential: removeDeviceCredential(at: now)
        case .requireCredential(let reason): requireCredential(reason, at: now)
        case .lockOut(let modality): lockOut(modality, at: now)
        case .exhaust: exhaust(at: now)
        case .refill: refill(at: now)
        case .powerCycle: powerCycle(at: now)
        }
    }

    /// Applies the inputs of a log to a copy of this gate and compares every answer with the recorded one.
    ///
    /// - Parameter events: all events since this gate's state, in order.
    /// - Returns: the state after the last event.
    /// - Throws: ``GateReplayError`` at the first event that does not follow from the previous ones.
    public func replay(_ events: some Sequence<GateEvent>) throws(GateReplayError) -> UserVerificationGate {
        var gate = self
        for (index, event) in events.enumerated() {
            let answer: GateEvent
            do {
                answer = try gate.apply(event.input, at: event.at)
            } catch {
                throw .impossible(index: index, error)
            }
            guard answer == event else { throw .diverged(index: index, expected: answer, recorded: event) }
        }
        return gate
    }
}

/// The reason a log cannot be replayed on a gate.
public enum GateReplayError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The event at this index records an answer that differs from the gate's.
    case diverged(index: Int, expected: GateEvent, recorded: GateEvent)
    /// The event at this index records a change that is not possible.
    case impossible(index: Int, GateError)

    /// A sentence for the user.
    public var description: String {
        switch self {
        case .diverged(let index, let expected, let recorded):
            "event \(index) (\(recorded.input.label)) records \(recorded.step.label), the gate answers \(expected.step.label)"
        case .impossible(let index, let error): "event \(index) records a change that is not possible: \(error)"
        }
    }
}
