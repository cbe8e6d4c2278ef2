import Biometrics
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

/// The device's requirements for a request without user verification (CTAP 2.3 §6.1.2 steps 5 to 10, §6.2.2 step 5).
@Suite("Requests without user verification")
struct UserVerificationRequirementTests {
    /// The user verification that a device has and that is set up.
    enum SetUp: CaseIterable, Sendable {
        case nothing
        case pin
        case finger
        case both

        func bench(_ change: (inout AuthenticatorConfiguration) -> Void) async throws -> Bench {
            let bench = Bench(gate: try Gates.key(enrolled: self == .finger || self == .both), change)
            if self == .pin || self == .both { try await bench.setPIN() }
            return bench
        }
    }

    @Test(
        arguments: [
            (SetUp.nothing, nil, nil), (.pin, CTAPStatus.puatRequired, CTAPStatus.puatRequired),
            (.both, .puatRequired, .puatRequired),
            // A device without a PIN gives no token for it (§6.1.2 step 8: "clientPin option ID is true").
            (.finger, .operationDenied, .operationDenied),
        ] as [(SetUp, CTAPStatus?, CTAPStatus?)])
    func aProtectedDeviceRefusesRegistrationsWithoutVerification(
        setUp: SetUp, sealed: CTAPStatus?, discoverable: CTAPStatus?
    ) async throws {
        let bench = try await setUp.bench { _ in }
        let reason = "makeCredential.userVerificationRequired"
        #expect(await bench.make().told == (sealed.map { Told($0, reason) } ?? .ok))
        #expect(
            await bench.make { $0.options["rk"] = true }.told == (discoverable.map { Told($0, reason) } ?? .ok))
    }

    @Test(arguments: [(SetUp.pin, CTAPStatus.puatRequired), (.both, .puatRequired), (.finger, .operationDenied)])
    func makeCredUvNotRqdAppliesToNonDiscoverableCredentialsOnly(setUp: SetUp, status: CTAPStatus) async throws {
        let bench = try await setUp.bench { $0.makeCredUvNotRequired = true }
        #expect(await bench.option("makeCredUvNotRqd") == true)
        #expect(try await bench.make().made().flags() == [.userPresent, .attestedCredentialData])
        #expect(
            await bench.make { $0.options["rk"] = true }.told
                == Told(status, "makeCredential.userVerificationRequired"))
    }

    @Test(arguments: SetUp.allCases)
    func anAssertionNeedsNoVerificationWithoutAlwaysUv(setUp: SetUp) async throws {
        let bench = try await setUp.bench { $0.makeCredUvNotRequired = true }
        let made = try await bench.make().made()
        #expect(try await bench.get { $0.allowList = [try made.descriptor()] }.got().flags() == [.userPresent])
    }

    @Test func noMcGaPermissionsWithClientPinNeverAsksForAToken() async throws {
        let bench = try await SetUp.pin.bench { $0.refusesPINForCredentials = true }
        #expect(await bench.make().told == Told(.operationDenied, "makeCredential.userVerificationRequired"))
    }

    // MARK: alwaysUv

    @Test(arguments: [true, false])
    func alwaysUvWithoutVerificationIsPuatRequiredIfAPINCanBeSet(hasPIN: Bool) async throws {
        let bench = try await SetUp.nothing.bench {
            $0.alwaysUV = true
            $0.supportsClientPIN = hasPIN
        }
        let status: CTAPStatus = hasPIN ? .puatRequired : .operationDenied
        #expect(await bench.make().told == Told(status, "makeCredential.alwaysUvUnprotected"))
        #expect(await bench.get().told == Told(status, "getAssertion.alwaysUvUnprotected"))
        #expect(await bench.get { $0.options["up"] = false }.told == Told(.noCredentials, "getAssertion.noCredentials"))
    }

    @Test func alwaysUvWithOnlyAPINRequiresAToken() async throws {
        let bench = try await SetUp.pin.bench { $0.alwaysUV = true }
        #expect(await bench.make().told == Told(.puatRequired, "makeCredential.alwaysUvWithoutVerification"))
        #expect(await bench.get().told == Told(.puatRequired, "getAssertion.alwaysUvWithoutVerification"))
        let token = try await bench.token()
        #expect(await bench.make { $0.authenticate(token) }.told == .ok)
    }

    @Test func alwaysUvWithAFingerVerifiesAtTheSensor() async throws {
        let bench = try await SetUp.finger.bench { $0.alwaysUV = true }
        let made = try await bench.make { $0.options["rk"] = true }.made()
        #expect(try made.flags().contains(.userVerified))
        #expect(try await bench.get { $0.options["uv"] = false }.got().flags() == [.userPresent, .userVerified])
        #expect(bench.person.verificationPrompts == 2)
        #expect(bench.person.presencePrompts == 0)
    }

    @Test func alwaysUvAllowsASilentLookUp() async throws {
        let bench = try await SetUp.finger.bench { $0.alwaysUV = true }
        await bench.make { $0.options["rk"] = true }
        let prompts = bench.person.verificationPrompts
        #expect(try await bench.get { $0.options["up"] = false }.got().flags() == [])
        #expect(bench.person.verificationPrompts == prompts)
    }

    @Test func alwaysUvOverridesMakeCredUvNotRqd() async throws {
        let bench = try await SetUp.pin.bench {
            $0.alwaysUV = true
            $0.makeCredUvNotRequired = true
        }
        #expect(await bench.option("alwaysUv") == true)
        #expect(await bench.option("makeCredUvNotRqd") == false)
        #expect(await bench.make().told == Told(.puatRequired, "makeCredential.alwaysUvWithoutVerification"))
        let off = try await SetUp.pin.bench { $0.alwaysUV = false }
        #expect(await off.option("alwaysUv") == false)
    }
}
