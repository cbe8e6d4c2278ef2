import Biometrics
import SampleGates
import Testing

@Suite("Enrolment")
struct EnrolmentTests {
    enum Change: CaseIterable {
        case enrolSecond, replace, removeOne, removeLast, removeAll, rename
    }

    static let table: [(InvalidationRule, Set<Change>)] = [
        (.anyChange, [.enrolSecond, .replace, .removeOne, .removeLast, .removeAll]),
        (.enrolledOrAllRemoved, [.enrolSecond, .replace, .removeLast, .removeAll]),
        (.never, []),
    ]

    @Test("every change of the set changes its generation; the policy's rule destroys keys", arguments: table)
    func generations(rule: InvalidationRule, deadly: Set<Change>) throws {
        let policy = try GatePolicy(attemptsPerPrompt: nil, permanentLockoutAt: 5, invalidationRule: rule)
        for change in Change.allCases {
            var gate = gate(policy, templates: change == .removeOne ? [alice, bob] : [alice])
            let event =
                switch change {
                case .enrolSecond: try gate.enrol(bob, at: .zero)
                case .replace: try gate.replace(templateID: alice.id, with: bob, at: .zero)
                case .removeOne, .removeLast: try gate.removeTemplate(id: alice.id, at: .zero)
                case .removeAll: gate.removeAllTemplates(at: .zero)
                case .rename: try gate.rename(templateID: alice.id, to: "Left thumb", at: .zero)
                }
            #expect(event.step == .changed)
            #expect(gate.sensor?.enrolmentGeneration == (change == .rename ? 0 : 1), "\(change)")
            #expect(gate.sensor?.bindingGeneration == (deadly.contains(change) ? 1 : 0), "\(change)")
        }
    }

    @Test("the generations wrap around without a trap")
    func generationsWrap() throws {
        var gate = UserVerificationGate(
            policy: .iOSTouchID,
            sensor: BiometricSensor(modality: .fingerprint, enrolmentGeneration: .max, bindingGeneration: .max),
            deviceCredential: nil)
        _ = try gate.enrol(alice, at: .zero)
        #expect(gate.sensor?.enrolmentGeneration == 0)
        #expect(gate.sensor?.bindingGeneration == 0)
    }

    @Test("removing the screen lock destroys bound keys, except under the rule never, and keeps the templates")
    func removingCredential() throws {
        for (rule, generation) in [(InvalidationRule.anyChange, 1), (.enrolledOrAllRemoved, 1), (.never, 0)] {
            var gate = gate(
                try GatePolicy(attemptsPerPrompt: nil, permanentLockoutAt: 5, invalidationRule: rule))
            #expect(gate.removeDeviceCredential(at: .zero).step == .changed)
            #expect(gate.sensor?.bindingGeneration == UInt64(generation))
            #expect(gate.sensor?.enrolmentGeneration == 0)
            #expect(gate.sensor?.templates == [alice])
            #expect(gate.removeDeviceCredential(at: .zero).step == .ignored)
        }
    }

    @Test("a new finger verifies, and a replaced or removed one no longer does")
    func templatesTakeEffect() throws {
        var gate = gate(.iOSTouchID)
        _ = try gate.enrol(bob, at: .zero)
        _ = try gate.removeTemplate(id: alice.id, at: .zero)
        _ = gate.begin(biometricOnly, at: .zero)
        #expect(gate.present(.match(templateID: alice.id), at: .zero).counted)
        #expect(
            gate.present(.match(), at: .zero).step
                == .ended(.verified(method: .biometric(.fingerprint, templateID: bob.id))))
        #expect(try gate.rename(templateID: bob.id, to: "Robert", at: .zero).step == .changed)
        #expect(gate.sensor?.templates.map(\.name) == ["Robert"])
    }

    @Test("changing the set clears neither failures nor a lockout")
    func enrolmentClearsNothing() throws {
        var gate = gate(.iOSTouchID)
        gate.fail(times: 5, at: .zero)
        #expect(try gate.enrol(bob, at: .zero).lockoutAfter == .permanent)
        _ = gate.removeAllTemplates(at: .zero)
        #expect(gate.consecutiveFailures == 5)
        #expect(gate.lockout(at: .zero) == .permanent)
    }

    @Test("a full store, a taken id, an unknown id and an unusable sensor are errors that change nothing")
    func errors() {
        var full = UserVerificationGate(
            policy: .iOSFaceID, sensor: BiometricSensor(modality: .face, templates: [alice], maxTemplates: 1),
            deviceCredential: nil)
        let before = full
        #expect(throws: GateError.storeFull(maxTemplates: 1)) { try full.enrol(bob, at: .zero) }
        #expect(throws: GateError.duplicateTemplate(id: alice.id)) { try full.enrol(alice, at: .zero) }
        #expect(throws: GateError.noSuchTemplate(id: bob.id)) { try full.removeTemplate(id: bob.id, at: .zero) }
        #expect(throws: GateError.noSuchTemplate(id: bob.id)) {
            try full.replace(templateID: bob.id, with: alice, at: .zero)
        }
        #expect(throws: GateError.noSuchTemplate(id: bob.id)) {
            try full.rename(templateID: bob.id, to: "", at: .zero)
        }
        #expect(full == before)

        var two = gate(.iOSTouchID, templates: [alice, bob])
        #expect(throws: GateError.duplicateTemplate(id: bob.id)) {
            try two.replace(templateID: alice.id, with: bob, at: .zero)
        }
        var none = UserVerificationGate(policy: .iOSFaceID, sensor: nil, deviceCredential: nil)
        #expect(throws: GateError.sensorAbsent) { try none.enrol(alice, at: .zero) }
        #expect(throws: GateError.sensorAbsent) { try none.removeTemplate(id: [1], at: .zero) }
        #expect(none.removeAllTemplates(at: .zero).step == .ignored)
    }

    @Test("enrolment fails on a sensor that cannot take a sample", arguments: SensorAvailability.allCases)
    func unusableSensor(availability: SensorAvailability) {
        var gate = gate(.iOSTouchID)
        _ = gate.setAvailability(availability, at: .zero)
        switch availability {
        case .present: #expect(throws: Never.self) { try gate.enrol(bob, at: .zero) }
        case .absent: #expect(throws: GateError.sensorAbsent) { try gate.enrol(bob, at: .zero) }
        default: #expect(throws: GateError.sensorUnavailable(availability)) { try gate.enrol(bob, at: .zero) }
        }
    }

    @Test("removing the last template during a prompt ends it, or leads to the passcode")
    func removalUnderPrompt() throws {
        var gate = gate(.iOSTouchID, templates: [alice, bob])
        _ = gate.begin(biometricOnly, at: .zero)
        #expect(try gate.removeTemplate(id: alice.id, at: .zero).step == .changed)
        #expect(gate.stage == .sensing)
        #expect(try gate.removeTemplate(id: bob.id, at: .zero).step == .ended(.failed(.notEnrolled)))

        _ = try gate.enrol(alice, at: .zero)
        _ = gate.begin(withCredential, at: .zero)
        #expect(gate.removeAllTemplates(at: .zero).step == .deviceCredentialRequired)
        #expect(gate.removeDeviceCredential(at: .zero).step == .ended(.failed(.noDeviceCredential)))
    }

    @Test("only a device credential that is set can be entered")
    func settingCredential() {
        var gate = gate(.androidFingerprint, credential: nil)
        #expect(gate.enterDeviceCredential(correct: true, at: .zero).step == .refused(.noDeviceCredential))
        #expect(gate.setDeviceCredential(.pin, at: .zero).step == .changed)
        #expect(gate.deviceCredential == DeviceCredential(kind: .pin))
        _ = gate.enterDeviceCredential(correct: false, at: .zero)
        _ = gate.setDeviceCredential(.pattern, at: .zero)
        #expect(gate.deviceCredential == DeviceCredential(kind: .pattern, failedAttempts: 0))
    }
}
