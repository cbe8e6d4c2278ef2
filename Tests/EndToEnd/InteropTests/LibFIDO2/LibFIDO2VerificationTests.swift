import Biometrics
import CFIDO2
import DeviceProfiles
import SecurityKeys
import SimulatedDevice
import Testing
import VirtualAuthenticator

extension Interop {
    /// libfido2 in this process: PINs, fingers, resets, and waiting for the user.
    @Suite struct LibFIDO2VerificationTests {
        @Test func aPINIsSetChangedAndCounted() async throws {
            try await LibFIDO2Bench.with("security-key-pin") { bench in
                let key = bench.key
                await expect(FIDO_ERR_PIN_NOT_SET) { try await key.setPIN("1234", old: "0000") }
                await expect(FIDO_ERR_PIN_POLICY_VIOLATION) { try await key.setPIN("123") }
                try await key.setPIN("1234")
                #expect(await key.hasPIN)
                try await key.setPIN("2468", old: "1234")
                #expect(try await key.pinRetries() == 8)

                await expect(FIDO_ERR_PIN_INVALID) { try await key.makeCredential(.init(), pin: "1234") }
                #expect(try await key.pinRetries() == 7)
                _ = try await key.makeCredential(.init(), pin: "2468")
                #expect(try await key.pinRetries() == 8)

                await expect(FIDO_ERR_PIN_INVALID) { try await key.setPIN("1357", old: "0000") }
                await expect(FIDO_ERR_PIN_INVALID) { try await key.makeCredential(.init(), pin: "0000") }
                await expect(FIDO_ERR_PIN_AUTH_BLOCKED) { try await key.makeCredential(.init(), pin: "0000") }
                await expect(FIDO_ERR_PIN_AUTH_BLOCKED) { try await key.makeCredential(.init(), pin: "2468") }
                #expect(try await key.pinRetries() == 5)
                await bench.powerCycle()
                _ = try await key.makeCredential(.init(), pin: "2468")
                #expect(try await key.pinRetries() == 8)
            }
        }

        @Test func aFingerThatDoesNotMatchIsCountedUntilThePINRestoresIt() async throws {
            try await LibFIDO2Bench.with("security-key-bio") { bench in
                let key = bench.key
                try await key.setPIN("1234")
                for _ in 0..<3 { await bench.person.tell(.gate(.nonMatch)) }
                #expect(try await key.uvRetries() == 3)
                for (code, left) in [(FIDO_ERR_UV_INVALID, 2), (FIDO_ERR_UV_INVALID, 1), (FIDO_ERR_UV_BLOCKED, 0)] {
                    await expect(code) { try await key.makeCredential(.init(uv: FIDO_OPT_TRUE)) }
                    #expect(try await key.uvRetries() == Int32(left))
                }
                await expect(FIDO_ERR_UV_BLOCKED) { try await key.makeCredential(.init(uv: FIDO_OPT_TRUE)) }
                _ = try await key.makeCredential(.init(), pin: "1234")
                #expect(try await key.uvRetries() == 3)
                _ = try await key.makeCredential(.init(uv: FIDO_OPT_TRUE))
                #expect(await bench.person.plannedActs.isEmpty)
            }
        }

        @Test func aResetErasesTheDeviceSoonAfterPowerUpOnly() async throws {
            try await LibFIDO2Bench.with("security-key-pin") { bench in
                let key = bench.key
                try await key.setPIN("1234")
                let kept = try await key.makeCredential(.init(isDiscoverable: true), pin: "1234")
                let sealed = try await key.makeCredential(.init(), pin: "1234")
                bench.clock.advance(by: bench.device.profile.authenticator.resetWindow + .milliseconds(1))
                await expect(FIDO_ERR_NOT_ALLOWED) { try await key.reset() }
                _ = try await key.getAssertions(.init(allowed: [sealed.id]), pin: "1234")

                await bench.powerCycle()
                try await key.reset()
                #expect(try await key.info().options["clientPin"] == false)
                await expect(FIDO_ERR_NO_CREDENTIALS) { try await key.getAssertions(.init(allowed: [kept.id])) }
                await expect(FIDO_ERR_NO_CREDENTIALS) { try await key.getAssertions(.init(allowed: [sealed.id])) }
                #expect(await bench.device.authenticator.snapshot().credentials.isEmpty)
            }
        }

        @Test func aCancelledWaitForATouchEndsAtOnce() async throws {
            try await LibFIDO2Bench.with("security-key-pin", habit: .ask) { bench in
                let key = bench.key
                async let outcome: Void = expect(FIDO_ERR_KEEPALIVE_CANCEL) { try await key.makeCredential(.init()) }
                await bench.waitUntilAskedForTouch()
                try key.cancel()
                await outcome
                // The device is free again, and the next touch belongs to the next command.
                await bench.person.tell(.touch)
                _ = try await key.makeCredential(.init())
            }
        }

        @Test(arguments: [false, true])
        func aTouchSelectsADevice(withPIN: Bool) async throws {
            try await LibFIDO2Bench.with("security-key-pin", habit: .ask) { bench in
                let key = bench.key
                if withPIN { try await key.setPIN("1234") }
                try await key.beginTouch()
                await bench.waitUntilAskedForTouch()
                // Keepalives do not count as a touch.
                #expect(try await !key.wasTouched(within: 10))
                await bench.person.tell(.touch)
                #expect(try await key.wasTouched(within: 20_000))
                #expect(await bench.device.authenticator.snapshot().credentials.isEmpty)
            }
        }
    }
}
