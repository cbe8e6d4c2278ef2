import Biometrics
import Causes
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

@Suite("Secure storage")
struct SecureStorageTests {
    static let secret: [UInt8] = [1, 2, 3]

    /// A phone that keeps one item of each kind.
    static func phone(_ profile: String) async throws -> Device {
        let phone = try Device(profile)
        try await phone.storage.store(secret, as: "current", protection: .init(.currentSet))
        try await phone.storage.store(secret, as: "any", protection: .init(.anyBiometry))
        return phone
    }

    static let phones = ["iphone-face-id", "iphone-touch-id", "pixel-fingerprint"]

    @Test(arguments: phones)
    func aMatchReleasesTheSecret(profile: String) async throws {
        let phone = try await Self.phone(profile)
        #expect(phone.storage.ids.map(\.description) == ["any", "current"])
        for name in ["any", "current"] {
            let reading = await phone.storage.read(name)
            #expect(reading == .success(Self.secret))
            #expect(reading.cause == nil)
        }
        #expect(phone.person.verificationPrompts == 2)
    }

    @Test(arguments: phones)
    func aNewTemplateDestroysItemsOfTheCurrentSetWithoutAPrompt(profile: String) async throws {
        let phone = try await Self.phone(profile)
        try await phone.device.enrol("stranger")
        let reading = await phone.storage.read("current")
        #expect(reading == .failure(.keyInvalidated))
        #expect(reading.cause == "keyInvalidated")
        #expect(phone.person.verificationPrompts == 0)
        // It is destroyed permanently, and the other is not; Android reports that at every use.
        let isAndroid = profile == "pixel-fingerprint"
        #expect(await phone.storage.read("current") == .failure(isAndroid ? .keyInvalidated : .itemMissing))
        #expect(await phone.storage.read("any") == .success(Self.secret))
    }

    @Test(arguments: [
        ("iphone-touch-id", SecureStorage.Reading.failure(.keyInvalidated)), ("pixel-fingerprint", .success(secret)),
    ])
    func removingOneTemplateDestroysItemsOnAppleOnly(profile: String, expected: SecureStorage.Reading) async throws {
        let phone = try Device(profile)
        try await phone.device.enrol("second")
        try await phone.storage.store(Self.secret, as: "current", protection: .init(.currentSet))
        try await phone.device.removeTemplate(named: "second")
        #expect(await phone.storage.read("current") == expected)
    }

    @Test(arguments: phones)
    func removingAllTemplatesDestroysItemsOfTheCurrentSetAndClosesTheOthers(profile: String) async throws {
        let phone = try await Self.phone(profile)
        await phone.device.removeAllTemplates()
        #expect(await phone.storage.read("current") == .failure(.keyInvalidated))
        let closed = await phone.storage.read("any")
        #expect(closed.cause == .notEnrolled)
        #expect(closed.cause == "notEnrolled")
        try await phone.device.enrol("owner again")
        #expect(await phone.storage.read("any") == .success(Self.secret))
    }

    @Test(arguments: phones)
    func removingTheScreenLockDestroysItemsOfTheCurrentSet(profile: String) async throws {
        let phone = try await Self.phone(profile)
        try await phone.device.authenticator.changeGate { gate, now in gate.removeDeviceCredential(at: now) }
        #expect(await phone.storage.read("current") == .failure(.keyInvalidated))
    }

    @Test func anUnpluggedSensorClosesAnItemAndDoesNotDestroyIt() async throws {
        let phone = try await Self.phone("iphone-touch-id")
        await phone.device.setSensor(.absent)
        for name in ["any", "current"] { #expect(await phone.storage.read(name).cause == .sensorAbsent) }
        await phone.device.setSensor(.present)
        for name in ["any", "current"] { #expect(await phone.storage.read(name) == .success(Self.secret)) }
    }

    @Test func thePasscodeDoesNotOpenAnItem() async throws {
        let phone = try await Self.phone("iphone-face-id")
        phone.person.willDo([.nonMatch, .nonMatch])
        let reading = await phone.storage.read("current")
        #expect(reading.cause == .attemptsExhausted)
        #expect(reading.cause == "attemptsExhausted")
        phone.person.willDo([.cancelByUser])
        #expect(await phone.storage.read("current").cause == "userCancelled")
    }

    @Test func aLockedSensorKeepsItemsValidButUnreadable() async throws {
        let phone = try await Self.phone("pixel-fingerprint")
        phone.person.willDo([GateAct](repeating: .nonMatch, count: 5))
        #expect(await phone.storage.read("current").cause == "lockedOut.timed")
        #expect(await phone.storage.read("current").cause == "lockedOut.timed")
        phone.clock.advance(by: .seconds(30))
        #expect(await phone.storage.read("current") == .success(Self.secret))
    }

    @Test func anItemCannotBeBoundToAnEmptySet() async throws {
        let phone = try Device("iphone-face-id")
        await phone.device.removeAllTemplates()
        await #expect(throws: GateFailure.notEnrolled) {
            try await phone.storage.store(Self.secret, as: "a", protection: .init(.currentSet))
        }
        let key = try Device("security-key-pin")
        await #expect(throws: GateFailure.sensorAbsent) {
            try await key.storage.store(Self.secret, as: "a", protection: .init(.anyBiometry))
        }
        #expect(phone.storage.ids.map(\.description).isEmpty)
    }

    @Test func itemsAreReplacedAndRemovedByName() async throws {
        let phone = try await Self.phone("iphone-face-id")
        try await phone.storage.store([9], as: "any", protection: .init(.currentSet))
        #expect(await phone.storage.read("any") == .success([9]))
        try phone.storage.remove("any")
        let reading = await phone.storage.read("any")
        #expect(reading == .failure(.itemMissing))
        #expect(reading.cause == "itemMissing")
    }
}
