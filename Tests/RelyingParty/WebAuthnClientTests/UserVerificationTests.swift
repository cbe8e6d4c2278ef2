import CTAP
import Testing
import WebAuthn

@testable import WebAuthnClient

/// User verification preference × the device's abilities → the request (WebAuthn L3 §5.8.6, CTAP 2.3 §6.1.2, §6.5.5).
struct UserVerificationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let device: String
        let options: [String: Bool]
        let requirement: UserVerificationRequirement
        let create: [String]
        let get: [String]

        init(
            _ device: String, _ options: [String: Bool], _ requirement: UserVerificationRequirement, create: [String],
            get: [String]
        ) {
            self.device = device
            self.options = options
            self.requirement = requirement
            self.create = create
            self.get = get
        }

        var testDescription: String { "\(device), \(requirement)" }
    }

    static let pin = ["clientPin": true, "pinUvAuthToken": true]
    static let relaxedPIN = pin.merging(["makeCredUvNotRqd": true]) { $1 }
    static let sensor = ["uv": true, "clientPin": true, "pinUvAuthToken": true, "makeCredUvNotRqd": true]
    static let alwaysUV = relaxedPIN.merging(["alwaysUv": true]) { $1 }
    static let barredPIN = pin.merging(["noMcGaPermissionsWithClientPin": true]) { $1 }
    static let byPIN = (create: ["pin 1 example.org", "make param2"], get: ["pin 2 example.org", "get param2"])
    static let bySensor = (
        create: ["sensor 1 example.org", "make param2"], get: ["sensor 2 example.org", "get param2"]
    )

    static let table: [Row] = [
        Row("nothing", [:], .discouraged, create: ["make"], get: ["get"]),
        Row("nothing", [:], .preferred, create: ["make"], get: ["get"]),
        Row("nothing", [:], .required, create: ["ConstraintError"], get: ["NotAllowedError"]),
        Row("a PIN not set", ["clientPin": false], .preferred, create: ["make"], get: ["get"]),
        Row(
            "a PIN not set", ["clientPin": false], .required, create: ["ConstraintError"], get: ["NotAllowedError"]),
        Row("a sensor without a finger", ["uv": false], .preferred, create: ["make"], get: ["get"]),
        Row("a 2.0 PIN", ["clientPin": true], .discouraged, create: ["legacyPIN", "make param2"], get: ["get"]),
        Row(
            "a 2.0 PIN", ["clientPin": true], .preferred, create: ["legacyPIN", "make param2"],
            get: ["legacyPIN", "get param2"]),
        Row("a 2.0 sensor", ["uv": true], .discouraged, create: ["make"], get: ["get"]),
        Row("a 2.0 sensor", ["uv": true], .preferred, create: ["make uv"], get: ["get uv"]),
        Row("a 2.0 sensor", ["uv": true], .required, create: ["make uv"], get: ["get uv"]),
        Row("a PIN", pin, .discouraged, create: byPIN.create, get: ["get"]),
        Row("a PIN", pin, .required, create: byPIN.create, get: byPIN.get),
        Row("a PIN, makeCredUvNotRqd", relaxedPIN, .discouraged, create: ["make"], get: ["get"]),
        Row("a PIN, makeCredUvNotRqd", relaxedPIN, .preferred, create: byPIN.create, get: byPIN.get),
        Row("a PIN, alwaysUv", alwaysUV, .discouraged, create: byPIN.create, get: byPIN.get),
        Row("a PIN not for mc and ga", barredPIN, .preferred, create: ["make"], get: ["get"]),
        Row(
            "a PIN not for mc and ga", barredPIN, .required, create: ["ConstraintError"], get: ["NotAllowedError"]),
        Row("a sensor", sensor, .discouraged, create: ["make"], get: ["get"]),
        Row("a sensor", sensor, .preferred, create: bySensor.create, get: bySensor.get),
        Row("a sensor", sensor, .required, create: bySensor.create, get: bySensor.get),
    ]

    @Test("create() verifies as far as the site asks and the device can", arguments: table)
    func create(_ row: Row) async throws {
        let device = FakeAuthenticator(row.options, pin: row.options["clientPin"] == true ? "1234" : nil)
        let client = client(device, environment(User(pins: ["1234"])))
        let origin = try Origin.test()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await client.create(.test(userVerification: row.requirement), origin: origin)
        }
        #expect(await device.story + (error.map { [$0.domException.rawValue] } ?? []) == row.create)
    }

    @Test("get() verifies as far as the site asks and the device can", arguments: table)
    func get(_ row: Row) async throws {
        let device = FakeAuthenticator(row.options, pin: row.options["clientPin"] == true ? "1234" : nil)
        await device.add([1])
        let client = client(device, environment(User(pins: ["1234"])))
        let origin = try Origin.test()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await client.get(.test(userVerification: row.requirement), origin: origin)
        }
        #expect(await device.story + (error.map { [$0.domException.rawValue] } ?? []) == row.get)
    }

    @Test func aDiscoverableCredentialNeedsVerificationEvenWhereOthersDoNot() async throws {
        let device = FakeAuthenticator(Self.relaxedPIN.merging(["rk": true]) { $1 }, pin: "1234")
        let client = client(device, environment(User(pins: ["1234"])))
        _ = try await client.create(.test(residentKey: .preferred), origin: .test())
        #expect(await device.story == ["pin 1 example.org", "make rk param2"])
    }

    @Test(arguments: [([1, 2], "param1"), ([2, 1], "param2"), ([9, 1], "param1")] as [([Int], String)])
    func theDevicesPreferredKnownProtocolIsUsed(_ row: ([Int], String)) async throws {
        let device = FakeAuthenticator(Self.pin, pin: "1234") { $0.pinUvAuthProtocols = row.0 }
        let client = client(device, environment(User(pins: ["1234"])))
        _ = try await client.create(.test(), origin: .test())
        #expect(await device.story.last == "make \(row.1)")
    }

    @Test func aDeviceThatSpeaksNoKnownProtocolCannotVerifyByPIN() async throws {
        let device = FakeAuthenticator(Self.pin, pin: "1234") { $0.pinUvAuthProtocols = [9] }
        let client = client(device)
        let origin = try Origin.test()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await client.create(.test(userVerification: .required), origin: origin)
        }
        #expect(error?.reason == .userVerificationUnavailable)
    }

    @Test func puatRequiredIsAnsweredWithVerification() async throws {
        let device = FakeAuthenticator(Self.relaxedPIN, pin: "1234")
        await device.configure { $0.refusals[.makeCredential] = [.puatRequired] }
        let client = client(device, environment(User(pins: ["1234"])))
        _ = try await client.create(.test(), origin: .test())
        #expect(await device.story == ["make", "pin 1 example.org", "make param2"])
    }

    @Test func puatRequiredWithoutAMeansOfVerificationIsAnError() async throws {
        let device = FakeAuthenticator([:])
        await device.configure { $0.refusals[.makeCredential] = [.puatRequired] }
        let client = client(device)
        let origin = try Origin.test()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await client.create(.test(), origin: origin)
        }
        #expect(error?.domException == .constraintError)
        #expect(error?.ctapStatus == .puatRequired)
    }

    // MARK: The sensor

    @Test(arguments: [(1, 1), (2, 2), (3, 3), (nil, 3)] as [(Int?, Int)])
    func theSensorIsTriedTheDevicesPreferredTimesBeforeThePIN(_ row: (preferred: Int?, tries: Int)) async throws {
        let device = FakeAuthenticator(Self.sensor, pin: "1234") { $0.preferredPlatformUvAttempts = row.preferred }
        await device.configure { $0.sensor = Array(repeating: false, count: 9) }
        let person = User(pins: ["1234"])
        _ = try await client(device, environment(person)).create(.test(userVerification: .required), origin: .test())
        let sensor = Array(repeating: "sensor 1 example.org", count: row.tries)
        #expect(await device.story == sensor + ["pin 1 example.org", "make param2"])
        // The third failure uses up the sensor's retries.
        #expect(await person.prompts.map(\.reason) == [row.tries == 3 ? .builtInBlocked : .builtInFailed])
    }

    @Test func aSensorThatFailsOnceIsTriedAgain() async throws {
        let device = FakeAuthenticator(Self.sensor, pin: "1234")
        await device.configure { $0.sensor = [false, true] }
        let person = User()
        _ = try await client(device, environment(person)).create(.test(userVerification: .required), origin: .test())
        #expect(
            await device.story == ["sensor 1 example.org", "sensor 1 example.org", "make param2"])
        #expect(await person.prompts.isEmpty)
    }

    @Test func aBlockedSensorIsSkippedWhereAPINIsSet() async throws {
        let device = FakeAuthenticator(Self.sensor, pin: "1234")
        await device.configure { $0.uvRetries = 0 }
        let person = User(pins: ["1234"])
        _ = try await client(device, environment(person)).create(.test(userVerification: .required), origin: .test())
        #expect(await device.story == Self.byPIN.create)
        #expect(await person.prompts.map(\.reason) == [.builtInBlocked])
    }

    @Test func aBlockedSensorWithoutAPINIsAnError() async throws {
        let device = FakeAuthenticator(["uv": true, "pinUvAuthToken": true])
        await device.configure { $0.sensor = [false, false, false] }
        let client = client(device)
        let origin = try Origin.test()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await client.get(.test(userVerification: .required), origin: origin)
        }
        #expect(error?.domException == .notAllowedError)
        #expect(error?.ctapStatus == .uvBlocked)
        #expect(await device.decisions.count == 3)
    }

    @Test(
        "A failed sensor of CTAP 2.0 leads to the PIN",
        arguments: [
            (CTAPStatus.puatRequired, PINPrompt.Reason.builtInFailed), (.uvInvalid, .builtInFailed),
            (.uvBlocked, .builtInBlocked),
        ])
    func legacySensorFallsBack(_ row: (CTAPStatus, PINPrompt.Reason)) async throws {
        let device = FakeAuthenticator(["uv": true, "clientPin": true], pin: "1234")
        await device.configure { $0.refusals[.makeCredential] = [row.0] }
        let person = User(pins: ["1234"])
        _ = try await client(device, environment(person)).create(.test(userVerification: .required), origin: .test())
        #expect(await device.story == ["make uv", "legacyPIN", "make param2"])
        #expect(await person.prompts.map(\.reason) == [row.1])
    }

    // MARK: The PIN

    @Test func aWrongPINIsRequestedAgainWithTheRemainingRetries() async throws {
        let device = FakeAuthenticator(Self.pin, pin: "1234")
        let person = User(pins: ["0000", "1111", "1234"])
        _ = try await client(device, environment(person)).create(.test(), origin: .test())
        #expect(
            await person.prompts == [
                PINPrompt(reason: .required, retriesLeft: 8, powerCycleNeeded: false),
                PINPrompt(reason: .wrongPIN, retriesLeft: 7, powerCycleNeeded: false),
                PINPrompt(reason: .wrongPIN, retriesLeft: 6, powerCycleNeeded: false),
            ])
    }

    @Test func theThirdWrongPINEndsTheCallAndTheNextPromptRequestsAPowerCycle() async throws {
        let device = FakeAuthenticator(Self.pin, pin: "1234")
        let person = User(pins: ["0000", "1111", "2222"])
        let client = client(device, environment(person))
        let origin = try Origin.test()
        let first = await failure { () async throws(WebAuthnClientError) in
            try await client.create(.test(), origin: origin)
        }
        #expect(first?.ctapStatus == .pinAuthBlocked)
        #expect(first?.domException == .notAllowedError)
        let second = await failure { () async throws(WebAuthnClientError) in
            try await client.create(.test(), origin: origin)
        }
        #expect(second?.reason == .pinCancelled)
        #expect(
            await person.prompts.last == PINPrompt(reason: .required, retriesLeft: 5, powerCycleNeeded: true))
    }

    @Test func aBlockedPINIsNotRequested() async throws {
        let device = FakeAuthenticator(Self.pin, pin: "1234")
        await device.configure { $0.pinRetries = 0 }
        let person = User(pins: ["1234"])
        let client = client(device, environment(person))
        let origin = try Origin.test()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await client.create(.test(), origin: origin)
        }
        #expect(error?.reason == .pinBlocked)
        #expect(error?.domException == .notAllowedError)
        #expect(await person.prompts.isEmpty)
    }

    @Test func aPINThatMustChangeIsNotRequested() async throws {
        let device = FakeAuthenticator(Self.pin, pin: "1234") { $0.forcePINChange = true }
        let person = User(pins: ["1234"])
        let client = client(device, environment(person))
        let origin = try Origin.test()
        let error = await failure { () async throws(WebAuthnClientError) in
            try await client.get(.test(userVerification: .required), origin: origin)
        }
        #expect(error?.reason == .pinChangeRequired)
        #expect(await person.prompts.isEmpty)
    }
}
