import Biometrics
import CTAP
import Testing
import VirtualAuthenticator

@Suite("A sensor that fails during a prompt")
struct BrokenSensorTests {
    let person = WaitingUser()

    @Test(
        "The command ends with the gate's reason",
        arguments: [
            (SensorAvailability.failed, "sensorFailed"), (.absent, "sensorAbsent"), (.busy, "sensorBusy"),
            (.disabledByPolicy, "disabledByPolicy"),
        ])
    func aBrokenSensorEndsTheCommand(availability: SensorAvailability, cause: String) async throws {
        let bench = Bench(gate: try Gates.key(), person: person)
        var prompts = person.prompts.makeAsyncIterator()
        async let answer = bench.make { $0.options = ["rk": true, "uv": true] }
        _ = try #require(await prompts.next())
        // The user does nothing; the change withdraws the prompt.
        try await bench.device.changeGate { gate, now in gate.setAvailability(availability, at: now) }
        let told = await answer.told
        #expect(told.status == .operationDenied)
        #expect(told.reason == "makeCredential.builtInUV.\(cause)")

        try await bench.device.changeGate { gate, now in gate.setAvailability(.present, at: now) }
        async let second = bench.make { $0.options = ["rk": true, "uv": true] }
        try #require(await prompts.next()).yield(.match())
        #expect(await second.told == .ok)
    }

    @Test func removingTheLastFingerEndsThePrompt() async throws {
        let bench = Bench(gate: try Gates.key(), person: person)
        var prompts = person.prompts.makeAsyncIterator()
        async let answer = bench.make { $0.options = ["rk": true, "uv": true] }
        _ = try #require(await prompts.next())
        try await bench.device.changeGate { gate, now in gate.removeAllTemplates(at: now) }
        #expect(await answer.told.status == .operationDenied)
    }
}
