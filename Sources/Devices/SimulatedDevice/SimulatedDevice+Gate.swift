package import Biometrics
internal import VirtualAuthenticator

/// Changes to the device's sensors and lock screen outside a prompt.
extension SimulatedDevice {
    /// Enrols another finger or face, by default at the first sensor; throws when the sensor cannot enrol it.
    package func enrol(_ name: String, on modality: BiometricModality? = nil) async throws {
        try await requireSecurityDelay()
        try await change { gate, now throws(GateError) in
            try Self.requireFree(name, gate, modality)
            let id = Self.unusedID(gate, modality)
            return try gate.enrol(BiometricTemplate(id: id, name: name), on: modality, at: now)
        }
    }

    /// Replaces an enrolled finger or face, as setting up a face again does; throws when no template has the name.
    package func replaceTemplate(
        named name: String, with newName: String, on modality: BiometricModality? = nil
    ) async throws {
        try await requireSecurityDelay()
        try await change { gate, now throws(GateError) in
            let found = try Self.find(name, gate, modality)
            if newName != name { try Self.requireFree(newName, gate, found.modality) }
            let template = BiometricTemplate(id: Self.unusedID(gate, found.modality), name: newName)
            return try gate.replace(templateID: found.id, with: template, on: found.modality, at: now)
        }
    }

    /// Removes one enrolled finger or face by its name; throws when no template has it.
    package func removeTemplate(named name: String, on modality: BiometricModality? = nil) async throws(GateError) {
        try await change { gate, now throws(GateError) in
            let found = try Self.find(name, gate, modality)
            return try gate.removeTemplate(id: found.id, on: found.modality, at: now)
        }
    }

    package func removeAllTemplates() async {
        _ = try? await authenticator.changeGate { gate, now in gate.removeAllTemplates(at: now) }
        await secureStorage.destroyInvalidatedKeys()
    }

    /// Enters the device credential at the lock screen; the screen itself is unchanged.
    @discardableResult
    func enterDeviceCredential(correctly: Bool) async -> GateEvent? {
        try? await authenticator.changeGate { gate, now in
            gate.enterDeviceCredential(correct: correctly, at: now)
        }
    }

    /// Requires the device credential: no sensor verifies the user before it is entered.
    ///
    /// The gesture for emergencies also locks the screen; if the storage fails, nothing changes.
    @discardableResult
    package func requireCredential(_ reason: StrongAuthenticationReason) async throws -> GateEvent? {
        if reason == .emergencyGesture, hasScreen { try await lock() }
        return try await authenticator.changeGate { gate, now in gate.requireCredential(reason, at: now) }
    }

    /// Locks a sensor, or with nil every sensor, permanently, as after too many failed attempts.
    @discardableResult
    package func lockOut(_ modality: BiometricModality? = nil) async -> GateEvent? {
        try? await authenticator.changeGate { gate, now in gate.lockOut(modality, at: now) }
    }

    /// Breaks, hides or repairs a sensor, by default the first.
    package func setSensor(_ availability: SensorAvailability, on modality: BiometricModality? = nil) async {
        _ = try? await authenticator.changeGate { gate, now in
            gate.setAvailability(availability, on: modality, at: now)
        }
    }

    private func change(
        _ change: @Sendable (inout UserVerificationGate, Duration) throws(GateError) -> GateEvent
    ) async throws(GateError) {
        guard try await authenticator.changeGate(change) != nil else { throw .sensorAbsent }
        await secureStorage.destroyInvalidatedKeys()
    }

    private static func unusedID(_ gate: UserVerificationGate, _ modality: BiometricModality?) -> [UInt8] {
        let sensor = modality.map { gate.sensor(for: $0) } ?? gate.sensor
        let used = sensor?.templates.compactMap(\.id.first) ?? []
        return [(UInt8(1)...UInt8.max).first { !used.contains($0) } ?? 0]
    }

    /// Verifies that a name is free: templates are identified by their names here.
    private static func requireFree(
        _ name: String, _ gate: UserVerificationGate, _ modality: BiometricModality?
    ) throws(GateError) {
        let sensor = modality.map { gate.sensor(for: $0) } ?? gate.sensor
        guard sensor?.templates.contains(where: { $0.name == name }) != true else { throw .nameTaken(name) }
    }

    private static func find(
        _ name: String, _ gate: UserVerificationGate, _ modality: BiometricModality?
    ) throws(GateError) -> (modality: BiometricModality, id: [UInt8]) {
        for sensor in gate.sensors where modality == nil || sensor.modality == modality {
            if let template = sensor.templates.first(where: { $0.name == name }) {
                return (sensor.modality, template.id)
            }
        }
        throw gate.sensors.isEmpty ? .sensorAbsent : .notEnrolled(name: name)
    }
}
