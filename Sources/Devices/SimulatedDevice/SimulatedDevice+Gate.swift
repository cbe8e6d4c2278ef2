package import Biometrics
package import VirtualAuthenticator

/// What happens to the device's sensors and its lock screen outside any prompt.
extension SimulatedDevice {
    /// Enrols another finger or face, in the first sensor unless one is named.
    ///
    /// - Throws: ``GateError`` when the sensor cannot take it.
    package func enrol(_ name: String, on modality: BiometricModality? = nil) async throws(GateError) {
        try await change { gate, now throws(GateError) in
            try Self.requireFree(name, gate, modality)
            let id = Self.unusedID(gate, modality)
            return try gate.enrol(BiometricTemplate(id: id, name: name), on: modality, at: now)
        }
    }

    /// Enrols a finger or face in place of another one, as setting a face up anew does.
    ///
    /// - Throws: ``GateError`` when the sensor cannot take it, or nobody is enrolled under the name.
    package func replaceTemplate(
        named name: String, with newName: String, on modality: BiometricModality? = nil
    ) async throws(GateError) {
        try await change { gate, now throws(GateError) in
            let found = try Self.find(name, gate, modality)
            if newName != name { try Self.requireFree(newName, gate, found.modality) }
            let template = BiometricTemplate(id: Self.unusedID(gate, found.modality), name: newName)
            return try gate.replace(templateID: found.id, with: template, on: found.modality, at: now)
        }
    }

    /// Removes one enrolled finger or face by its name.
    ///
    /// - Throws: ``GateError/notEnrolled(name:)`` when nobody is enrolled under it.
    package func removeTemplate(
        named name: String, on modality: BiometricModality? = nil
    ) async throws(GateError) {
        try await change { gate, now throws(GateError) in
            let found = try Self.find(name, gate, modality)
            return try gate.removeTemplate(id: found.id, on: found.modality, at: now)
        }
    }

    /// Removes everybody enrolled, from all sensors.
    package func removeAllTemplates() async {
        _ = try? await authenticator.changeGate { gate, now in gate.removeAllTemplates(at: now) }
        await secureStorage.sweep()
    }

    /// Enters the device credential at the lock screen, whatever becomes of the screen.
    ///
    /// - Returns: what came of it; nil for a device without a gate.
    @discardableResult
    func enterDeviceCredential(correctly: Bool) async -> GateEvent? {
        try? await authenticator.changeGate { gate, now in
            gate.enterDeviceCredential(correct: correctly, at: now)
        }
    }

    /// Shows the lock screen's own prompt, as picking the device up does, and waits for the person.
    ///
    /// - Returns: nil when the power went, or the task was cancelled.
    package func unlockByPrompt() async -> UserVerificationResult? {
        await authenticator.verifyUser(PromptOptions(allowsDeviceCredential: true, purpose: .unlock))
    }

    /// Makes the device credential due: no sensor verifies anybody before it was entered.
    @discardableResult
    package func requireCredential(_ reason: StrongAuthenticationReason) async -> GateEvent? {
        try? await authenticator.changeGate { gate, now in gate.requireCredential(reason, at: now) }
    }

    /// Closes a sensor for good, or all of them, as if somebody had failed there often enough.
    @discardableResult
    package func lockOut(_ modality: BiometricModality? = nil) async -> GateEvent? {
        try? await authenticator.changeGate { gate, now in gate.lockOut(modality, at: now) }
    }

    /// Breaks, hides or repairs a sensor, the first unless one is named.
    package func setSensor(_ availability: SensorAvailability, on modality: BiometricModality? = nil) async {
        _ = try? await authenticator.changeGate { gate, now in
            gate.setAvailability(availability, on: modality, at: now)
        }
    }

    private func change(
        _ change: @Sendable (inout UserVerificationGate, Duration) throws(GateError) -> GateEvent
    ) async throws(GateError) {
        guard try await authenticator.changeGate(change) != nil else { throw .sensorAbsent }
        await secureStorage.sweep()
    }

    private static func unusedID(_ gate: UserVerificationGate, _ modality: BiometricModality?) -> [UInt8] {
        let sensor = modality.map { gate.sensor(for: $0) } ?? gate.sensor
        let used = sensor?.templates.compactMap(\.id.first) ?? []
        return [(UInt8(1)...UInt8.max).first { !used.contains($0) } ?? 0]
    }

    /// Names are how people are told apart here.
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
