import DeviceActs
import DeviceProfiles
import Foundation
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing

@testable import DeviceHost

/// The status of a running device.
@Suite struct DeviceStatusTests {
    /// Runs a device on a clock that stands still.
    private func running(_ profile: String, _ use: (DeviceHost) async throws -> Void) async throws {
        let profile = try ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path).profile(profile)
        try await TestSocket.run { socket in
            let host = try await DeviceHost.start(
                profile, name: "device", habit: .auto, connections: DeviceConnections(),
                clock: .simulated(ManualTime()), directory: socket.directory)
            let run = Task { await host.run() }
            let result: Result<Void, any Error>
            do { result = .success(try await use(host)) } catch { result = .failure(error) }
            run.cancel()
            await run.value
            try result.get()
        }
    }

    @Test("The device credential is due with a reason until it is entered")
    func deviceCredentialIsDueUntilEntered() async throws {
        try await running("iphone-face-id") { host in
            #expect(
                await host.report().status.deviceCredential
                    == .init(kind: "passcode", wrongEntries: 0, isDisabled: false))
            for (act, reason) in [("reboot", "restart"), ("require-passcode", "remoteLock")] {
                let status = try await host.perform(.act(try DeviceAct(verb: act))).status
                #expect(status.deviceCredential?.due == reason)
                #expect(status.sensors?.map(\.credentialDue) == [reason])
                if status.life?.screen == .unlocked { _ = try await host.perform(.act(try DeviceAct(verb: "lock"))) }
                let unlocked = try await host.perform(.act(try DeviceAct(verb: "unlock"))).status
                #expect(unlocked.deviceCredential?.due == nil)
            }
        }
    }

    @Test("An act that changes nothing is an error with the reason")
    func idleActsAreErrors() async throws {
        try await running("iphone-face-id") { host in
            _ = try await host.perform(.act(try DeviceAct(verb: "lock-out")))
            let idle = [("unlock", "the screen is not locked"), ("lock-out", "already in this state")]
            for (verb, reason) in idle {
                let error = await #expect(throws: DeviceHostError.self) {
                    try await host.perform(.act(try DeviceAct(verb: verb)))
                }
                #expect(error?.description.contains(reason) == true)
            }
            #expect(await host.report().gate?.lockout == "permanent")
        }
    }

    @Test("A lockout takes as long when the clock is set back")
    func clockSetBackEndsNoLockout() async throws {
        try await running("iphone-face-id") { host in
            _ = try await host.perform(.act(try DeviceAct(verb: "lock")))
            for _ in 1...6 {
                _ = try? await host.perform(.act(try DeviceAct(verb: "unlock", arguments: ["passcode": "wrong"])))
            }
            let before = host.clock.shownTime()
            let status = try await host.perform(.setClockBack(by: .seconds(3600))).status
            #expect(host.clock.shownTime() < before - .seconds(3000))
            #expect(await host.report().clock.now < before / .seconds(1))
            let left = try #require(status.deviceCredential?.delaySecondsLeft)
            #expect(left > 0 && left <= 60)
            for span in [Duration.seconds(-1), before] {
                await #expect(throws: DeviceHostError.self) { try await host.perform(.setClockBack(by: span)) }
            }
        }
        try await running("solo-1") { host in
            await #expect(throws: DeviceHostError.self) { try await host.perform(.setClockBack(by: .seconds(1))) }
        }
    }

    @Test("Wrong entries are counted, and their delay is reported")
    func wrongEntriesDelayTheNext() async throws {
        try await running("iphone-face-id") { host in
            _ = try await host.perform(.act(try DeviceAct(verb: "lock")))
            for _ in 1...6 {
                _ = try? await host.perform(.act(try DeviceAct(verb: "unlock", arguments: ["passcode": "wrong"])))
            }
            let credential = try #require(await host.report().status.deviceCredential)
            #expect(credential.wrongEntries == 6)
            #expect(credential.delaySecondsLeft == 60)
            #expect(!credential.isDisabled)
        }
    }

    @Test("Every sensor is reported with its state")
    func everySensorIsReported() async throws {
        try await running("pixel-face-and-fingerprint") { host in
            _ = try? await host.perform(.act(try DeviceAct(verb: "lock-out", arguments: ["modality": "fingerprint"])))
            let busy = try await host.perform(
                .act(try DeviceAct(verb: "sensor", arguments: ["state": "busy", "modality": "face"]))
            ).status
            let sensors = try #require(busy.sensors)
            #expect(sensors.map(\.modality).sorted() == ["face", "fingerprint"])
            let face = try #require(sensors.first { $0.modality == "face" })
            let finger = try #require(sensors.first { $0.modality == "fingerprint" })
            #expect(face.availability == "busy" && finger.availability == "present")
            #expect(face.enrolled == ["owner"] && finger.enrolled == ["right index finger"])
            #expect(finger.lockout == "permanent")
        }
    }

    @Test("A security key without a sensor has no sensors and no credential")
    func securityKeyHasNoSensors() async throws {
        try await running("solo-1") { host in
            let status = await host.report().status
            #expect(status.sensors?.isEmpty == true)
            #expect(status.deviceCredential == nil)
        }
    }

    @Test("A status without sensors, as of an earlier version, is read")
    func statusOfEarlierVersionIsRead() async throws {
        try await running("solo-1") { host in
            let data = try JSONEncoder().encode(await host.report().status)
            var members = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
            for name in ["sensors", "deviceCredential"] { members[name] = nil }
            let status = try JSONDecoder().decode(
                DeviceStatus.self, from: try JSONSerialization.data(withJSONObject: members))
            #expect(status.name == "device" && status.sensors == nil)
        }
    }
}
