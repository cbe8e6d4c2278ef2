import Biometrics
import COSE
import Causes
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

/// SecAccessControlCreateFlags' `or`, `and` and `applicationPassword`, and keys that sign.
@Suite("Combined constraints, passwords of apps and keys")
struct SecretConstraintTests {
    @Test("An item with both constraints asks for the face and then for the passcode")
    func both() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.storage.store([1], as: "item", protection: .init(.currentSetAndPasscode))
        phone.person.willDo([.match(), .passcode(correct: true)])
        #expect(await phone.storage.read("item") == .success([1]))
        phone.person.willDo([.match(), .cancelByUser])
        #expect(await phone.storage.read("item").cause == .userCancelled)
        try await phone.device.enrol("second face")
        #expect(await phone.storage.read("item") == .failure(.keyInvalidated))
    }

    @Test("An item with either constraint accepts only the passcode after the templates changed")
    func either() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.storage.store([1], as: "item", protection: .init(.currentSetOrPasscode))
        #expect(await phone.storage.read("item") == .success([1]))
        try await phone.device.enrol("second face")
        // A passcode field ignores samples.
        phone.person.willDo([.match(), .passcode(correct: true)])
        #expect(await phone.storage.read("item") == .success([1]))
    }

    @Test("An item with a password of the app opens with that password only")
    func password() async throws {
        let phone = try Device("iphone-face-id")
        try await phone.storage.store([1], as: "item", protection: .init(.none), password: "horse")
        var use = SecretUse()
        #expect(await phone.storage.read("item", with: use).cause == .applicationPasswordWrong)
        use.password = "house"
        #expect(await phone.storage.read("item", with: use).cause == .applicationPasswordWrong)
        use.password = "horse"
        #expect(await phone.storage.read("item", with: use) == .success([1]))
    }

    @Test(
        "Android combines no constraints",
        arguments: [SecureStorage.Access.currentSetOrPasscode, .currentSetAndPasscode])
    func android(access: SecureStorage.Access) async throws {
        let phone = try Device("pixel-fingerprint")
        await #expect(throws: DeviceRefusal.self) {
            try await phone.storage.store([1], as: "item", protection: .init(access))
        }
        await #expect(throws: DeviceRefusal.self) {
            try await phone.storage.store([1], as: "item", protection: .init(.none), password: "x")
        }
    }

    @Test("A key signs after a verification, and cannot be read", arguments: ["iphone-face-id", "pixel-fingerprint"])
    func keys(profile: String) async throws {
        let phone = try Device(profile)
        let point = try await phone.storage.makeKey("payments", protection: .init(.currentSet))
        let key = try COSE.PublicKey(algorithm: .es256, x: Array(point[1..<33]), y: Array(point[33...]))
        let signature = try await phone.storage.sign([1, 2, 3], with: "payments").get()
        #expect(key.verify(signature, over: [1, 2, 3]))
        #expect(phone.person.verificationPrompts == 1)
        #expect(await phone.storage.read("payments").cause == .keyNotExportable)
        try await phone.storage.store([1], as: "secret", protection: .init(.none))
        #expect(await phone.storage.sign([1], with: "secret").cause == .keyNotExportable)
        try await phone.device.enrol("another")
        #expect(await phone.storage.sign([1], with: "payments") == .failure(.keyInvalidated))
    }

    @Test("An RSA key signs, too", arguments: ["iphone-face-id", "pixel-fingerprint"])
    func rsaKeys(profile: String) async throws {
        let phone = try Device(profile)
        let der = try await phone.storage.makeKey("login", protection: .init(.currentSet), algorithm: .rs256)
        let key = try COSE.PublicKey(algorithm: .rs256, subjectPublicKeyInfo: der)
        #expect(key.verify(try await phone.storage.sign([1, 2, 3], with: "login").get(), over: [1, 2, 3]))
    }

    @Test("An app that encrypts with the item's key on Android verifies its user first")
    func storingWithTheKey() async throws {
        let phone = try Device("pixel-fingerprint")
        let protection = SecureStorage.Protection(.currentSet)
        try await phone.storage.store([1], as: "item", protection: protection)
        #expect(phone.person.verificationPrompts == 0)
        try await phone.storage.store([2], as: "item", protection: protection, usesKey: true)
        #expect(phone.person.verificationPrompts == 1)
        let timed = SecureStorage.Protection(.biometryOrPasscode, validitySeconds: 5)
        try await phone.storage.store([3], as: "timed", protection: timed, usesKey: true)
        phone.clock.advance(by: .seconds(6))
        await #expect(throws: DeviceRefusal.userNotAuthenticated) {
            try await phone.storage.store([4], as: "timed", protection: timed, usesKey: true)
        }
        _ = await phone.device.verifyUser(.biometrics)
        #expect(try await phone.storage.read("timed").get() == [3])
    }
}
