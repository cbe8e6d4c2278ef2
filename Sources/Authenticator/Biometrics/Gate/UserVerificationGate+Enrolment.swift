extension UserVerificationGate {
    /// Enrols a finger, face, iris or voice; default: in the first sensor.
    ///
    /// - Throws: ``GateError`` if no sensor is usable, the sensor is full, or the id is in use.
    public mutating func enrol(
        _ template: BiometricTemplate, on modality: BiometricModality? = nil, at now: Duration
    ) throws(GateError) -> GateEvent {
        let index = try usableSensor(index(of: modality))
        let sensor = sensors[index]
        guard sensor.index(ofTemplate: template.id) == nil else { throw .duplicateTemplate(id: template.id) }
        guard sensor.templates.count < sensor.maxTemplates else { throw .storeFull(maxTemplates: sensor.maxTemplates) }
        return changeTemplates(.enrol(template, on: modality), .enrolled, of: index, at: now) { $0.append(template) }
    }

    /// Replaces a template, as when a face is enrolled again.
    ///
    /// - Throws: ``GateError`` if no sensor is usable, the template is missing, or the new id is in use.
    public mutating func replace(
        templateID: [UInt8], with template: BiometricTemplate, on modality: BiometricModality? = nil, at now: Duration
    ) throws(GateError) -> GateEvent {
        let index = try usableSensor(holder(of: templateID, on: modality))
        let sensor = sensors[index]
        guard let place = sensor.index(ofTemplate: templateID) else { throw .noSuchTemplate(id: templateID) }
        if let holder = sensor.index(ofTemplate: template.id), holder != place {
            throw .duplicateTemplate(id: template.id)
        }
        let input = GateInput.replace(templateID: templateID, with: template, on: modality)
        return changeTemplates(input, .enrolled, of: index, at: now) { $0[place] = template }
    }

    /// Renames a template; the enrolled set does not change.
    ///
    /// - Throws: ``GateError`` if the sensor or the template is missing.
    public mutating func rename(
        templateID: [UInt8], to name: String, on modality: BiometricModality? = nil, at now: Duration
    ) throws(GateError) -> GateEvent {
        let (index, place) = try place(of: templateID, on: modality)
        return record(.rename(templateID: templateID, to: name, on: modality), about: index, at: now) { gate in
            gate.sensors[index].templates[place].name = name
            return .changed
        }
    }

    /// Removes a template; default: from the first sensor that has it.
    ///
    /// A prompt without another template ends, or continues with the device credential.
    ///
    /// - Throws: ``GateError`` if the sensor or the template is missing.
    public mutating func removeTemplate(
        id: [UInt8], on modality: BiometricModality? = nil, at now: Duration
    ) throws(GateError) -> GateEvent {
        let (index, place) = try place(of: id, on: modality)
        let change: EnrolmentChange = sensors[index].templates.count == 1 ? .removedAll : .removed
        return changeTemplates(.removeTemplate(id: id, on: modality), change, of: index, at: now) {
            $0.remove(at: place)
        }
    }

    /// Removes every template of every sensor; ignored if none is enrolled.
    public mutating func removeAllTemplates(at now: Duration) -> GateEvent {
        record(.removeAllTemplates, at: now) { gate in
            guard gate.sensors.contains(where: { !$0.templates.isEmpty }) else { return .ignored }
            gate.removeTemplates(under: gate.policy.invalidationRule)
            return gate.settle(at: now)
        }
    }

    /// Sets the availability of a sensor; default: the first one; ignored without a sensor.
    ///
    /// A prompt that loses its last sensor ends with the reason, or continues with the device credential.
    public mutating func setAvailability(
        _ availability: SensorAvailability, on modality: BiometricModality? = nil, at now: Duration
    ) -> GateEvent {
        let index = index(of: modality)
        return record(.setAvailability(availability, on: modality), about: index, at: now) { gate in
            guard index < gate.sensors.count else { return .ignored }
            gate.sensors[index].availability = availability
            return gate.settle(at: now)
        }
    }
}

extension UserVerificationGate {
    private func usableSensor(_ index: Int) throws(GateError) -> Int {
        guard index < sensors.count, sensors[index].availability != .absent else { throw .sensorAbsent }
        guard !policy.templatesNeedCredential || deviceCredential != nil else { throw .noDeviceCredential }
        guard sensors[index].availability == .present else { throw .sensorUnavailable(sensors[index].availability) }
        return index
    }

    mutating func removeTemplates(under rule: InvalidationRule) {
        for index in sensors.indices where !sensors[index].templates.isEmpty {
            sensors[index].templates = []
            sensors[index].noteChange(.removedAll, under: rule)
        }
    }

    /// The named sensor; default: the first one with the template, or else the first.
    private func holder(of id: [UInt8], on modality: BiometricModality?) -> Int {
        guard modality == nil else { return index(of: modality) }
        return sensors.firstIndex { $0.index(ofTemplate: id) != nil } ?? 0
    }

    private func place(
        of id: [UInt8], on modality: BiometricModality?
    ) throws(GateError) -> (sensor: Int, template: Int) {
        let index = holder(of: id, on: modality)
        guard index < sensors.count else { throw .sensorAbsent }
        guard let place = sensors[index].index(ofTemplate: id) else { throw .noSuchTemplate(id: id) }
        return (index, place)
    }

    private mutating func changeTemplates(
        _ input: GateInput, _ change: EnrolmentChange, of index: Int, at now: Duration,
        _ edit: (inout [BiometricTemplate]) -> Void
    ) -> GateEvent {
        record(input, about: index, at: now) { gate in
            edit(&gate.sensors[index].templates)
            gate.sensors[index].noteChange(change, under: gate.policy.invalidationRule)
            if change == .enrolled, gate.sensors[index].strengthClass == .class3 {
                // The framework invalidates the IDs of the other strong sensors, and so their keys.
                for other in gate.sensors.indices where other != index {
                    gate.sensors[other].authenticatorIDRenewals &+= 1
                }
            }
            return gate.settle(at: now)
        }
    }
}
