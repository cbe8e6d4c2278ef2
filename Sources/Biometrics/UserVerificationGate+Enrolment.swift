extension UserVerificationGate {
    /// Enrols a finger, face, iris or voice.
    ///
    /// - Throws: ``GateError`` when there is no usable sensor, no place left, or the id is taken.
    public mutating func enrol(_ template: BiometricTemplate, at now: Duration) throws(GateError) -> GateEvent {
        let sensor = try usableSensor()
        guard sensor.index(ofTemplate: template.id) == nil else { throw .duplicateTemplate(id: template.id) }
        guard sensor.templates.count < sensor.maxTemplates else { throw .storeFull(maxTemplates: sensor.maxTemplates) }
        return changeTemplates(.enrol(template), .enrolled, at: now) { $0.append(template) }
    }

    /// Replaces a template, as enrolling a face anew does.
    ///
    /// - Throws: ``GateError`` when there is no usable sensor, no such template, or the new id is another's.
    public mutating func replace(
        templateID: [UInt8], with template: BiometricTemplate, at now: Duration
    ) throws(GateError) -> GateEvent {
        let sensor = try usableSensor()
        guard let index = sensor.index(ofTemplate: templateID) else { throw .noSuchTemplate(id: templateID) }
        if let holder = sensor.index(ofTemplate: template.id), holder != index {
            throw .duplicateTemplate(id: template.id)
        }
        return changeTemplates(.replace(templateID: templateID, with: template), .enrolled, at: now) {
            $0[index] = template
        }
    }

    /// Gives a template another name; the enrolled set stays what it is.
    ///
    /// - Throws: ``GateError`` when there is no sensor or no such template.
    public mutating func rename(
        templateID: [UInt8], to name: String, at now: Duration
    ) throws(GateError) -> GateEvent {
        let index = try indexOfTemplate(templateID)
        return record(.rename(templateID: templateID, to: name), at: now) { gate in
            gate.sensor?.templates[index].name = name
            return .changed
        }
    }

    /// Removes a template; a prompt that had only this one to match ends, or goes on to the device credential.
    ///
    /// - Throws: ``GateError`` when there is no sensor or no such template.
    public mutating func removeTemplate(id: [UInt8], at now: Duration) throws(GateError) -> GateEvent {
        let index = try indexOfTemplate(id)
        let change: EnrolmentChange = sensor?.templates.count == 1 ? .removedAll : .removed
        return changeTemplates(.removeTemplate(id: id), change, at: now) { $0.remove(at: index) }
    }

    /// Removes every template; ignored when there is none.
    public mutating func removeAllTemplates(at now: Duration) -> GateEvent {
        guard let sensor, !sensor.templates.isEmpty else {
            return record(.removeAllTemplates, at: now) { _ in .ignored }
        }
        return changeTemplates(.removeAllTemplates, .removedAll, at: now) { $0.removeAll() }
    }

    /// Says whether the sensor can be used from now on; ignored without a sensor.
    ///
    /// A prompt whose sensor goes away ends with the reason, or goes on to the device credential.
    public mutating func setAvailability(_ availability: SensorAvailability, at now: Duration) -> GateEvent {
        record(.setAvailability(availability), at: now) { gate in
            guard gate.sensor != nil else { return .ignored }
            gate.sensor?.availability = availability
            return gate.settle(at: now)
        }
    }
}

extension UserVerificationGate {
    private func usableSensor() throws(GateError) -> BiometricSensor {
        guard let sensor, sensor.availability != .absent else { throw .sensorAbsent }
        guard sensor.availability == .present else { throw .sensorUnavailable(sensor.availability) }
        return sensor
    }

    private func indexOfTemplate(_ id: [UInt8]) throws(GateError) -> Int {
        guard let sensor else { throw .sensorAbsent }
        guard let index = sensor.index(ofTemplate: id) else { throw .noSuchTemplate(id: id) }
        return index
    }

    private mutating func changeTemplates(
        _ input: GateInput, _ change: EnrolmentChange, at now: Duration, _ edit: (inout [BiometricTemplate]) -> Void
    ) -> GateEvent {
        record(input, at: now) { gate in
            guard var sensor = gate.sensor else { return .ignored }
            edit(&sensor.templates)
            sensor.noteChange(change, under: gate.policy.invalidationRule)
            gate.sensor = sensor
            return gate.settle(at: now)
        }
    }
}
