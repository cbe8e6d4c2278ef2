import CTAP
import DeviceProfiles
import ProfileFiles
import SimulatedDevice
import TestSupport
import Testing
import VirtualAuthenticator

@testable import DeviceActs

/// Passkeys that move from one device to another, and those that stay.
@Suite("Passkeys on several devices")
struct PasskeyTravelTests {
    /// Devices on one clock, in one account.
    private struct Family {
        let clock: SimulatedClock
        let phone: Device
        let tablet: Device
        let account: SyncAccount

        init(_ first: String = "iphone-face-id", _ second: String = "iphone-touch-id", delay: Duration = .seconds(20))
            async throws
        {
            phone = try Device(first)
            clock = phone.clock
            tablet = try Device(second, on: clock)
            account = SyncAccount(name: "icloud", delay: delay, time: clock)
            try await account.join(phone.device)
            try await account.join(tablet.device)
        }

        func pass(_ span: Duration) async {
            await account.settle()
            clock.advance(by: span)
            await account.settle()
        }
    }

    private static func credentials(_ device: Device) async -> [StoredCredential] {
        await device.device.authenticator.snapshot().credentials
    }

    // MARK: Synced

    @Test("A passkey arrives on the other device after the delay, and is backed up from then on")
    func arrival() async throws {
        let family = try await Family()
        try await family.phone.register(user: "ada")
        await family.pass(.seconds(19))
        #expect(await Self.credentials(family.phone).map(\.isBackedUp) == [false])
        #expect(await Self.credentials(family.tablet).isEmpty)
        await family.pass(.seconds(1))
        let (made, arrived) = (await Self.credentials(family.phone), await Self.credentials(family.tablet))
        #expect(made.map(\.isBackedUp) == [true] && arrived.map(\.isBackedUp) == [true])
        #expect(made.map(\.id) == arrived.map(\.id))
        #expect(arrived.map(\.signCount) == [0])
        #expect(try await family.tablet.signIn() == .ok)
        #expect(try await family.phone.signIn() == .ok)
    }

    @Test("A device that joins several times at once is a member once, and leaves the account completely")
    func joinsAtOnce() async throws {
        let phone = try Device("iphone-face-id")
        let account = SyncAccount(name: "icloud", time: phone.clock)
        for _ in 1...100 {
            try await withThrowingTaskGroup { group in
                for _ in 1...10 {
                    // Joins wait for a busy device.
                    group.addTask { _ = await phone.device.authenticator.snapshot() }
                    group.addTask { try await account.join(phone.device) }
                }
                try await group.waitForAll()
            }
            #expect(await account.leave(phone.device))
            #expect(await !account.hasMember(phone.device))
        }
    }

    @Test("If devices of two providers join at the same time, only one becomes a member")
    func oneProvider() async throws {
        for _ in 1...20 {
            let phone = try Device("iphone-face-id")
            let pixel = try Device("pixel-fingerprint", on: phone.clock)
            let account = SyncAccount(name: "icloud", time: phone.clock)
            let joined = await withTaskGroup { group in
                for device in [phone.device, pixel.device] {
                    for _ in 1...10 {
                        group.addTask {
                            _ = await device.authenticator.snapshot()
                            return false
                        }
                    }
                    group.addTask { (try? await account.join(device)) != nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(joined == 1)
        }
    }

    @Test("No change is synced while either device is offline")
    func offline() async throws {
        let family = try await Family()
        try family.phone.device.setAirplaneMode(true)
        try await family.phone.register()
        await family.pass(.seconds(100))
        #expect(await Self.credentials(family.phone).map(\.isBackedUp) == [false])
        try family.tablet.device.setAirplaneMode(true)
        try family.phone.device.setAirplaneMode(false)
        await family.pass(.zero)
        #expect(await Self.credentials(family.phone).map(\.isBackedUp) == [true])
        #expect(await Self.credentials(family.tablet).isEmpty)
        try family.tablet.device.setAirplaneMode(false)
        await family.pass(.zero)
        #expect(await Self.credentials(family.tablet).count == 1)
    }

    @Test("Renames and deletions are synced")
    func renameAndDelete() async throws {
        let family = try await Family()
        try await family.phone.register(user: "ada")
        await family.pass(.seconds(20))
        #expect(try await family.tablet.device.renamePasskey(PasskeyFilter(account: "ada"), to: "countess"))
        await family.pass(.seconds(20))
        #expect(await Self.credentials(family.phone).map(\.user.name) == ["countess"])
        try await family.phone.device.forgetPasskeys(PasskeyFilter(account: "countess"), .everywhere)
        await family.pass(.seconds(19))
        #expect(await Self.credentials(family.tablet).count == 1)
        await family.pass(.seconds(1))
        #expect(await Self.credentials(family.tablet).isEmpty)
        #expect(await Self.credentials(family.phone).isEmpty)
    }

    @Test("A passkey deleted on one device only stays on the other device and does not return")
    func deletedHere() async throws {
        let family = try await Family()
        try await family.phone.register(user: "ada")
        try await family.phone.register(user: "grace", at: "other.org")
        await family.pass(.seconds(20))
        try await family.phone.device.forgetPasskeys(PasskeyFilter(relyingPartyID: "example.com"))
        await family.pass(.seconds(1000))
        #expect(await Self.credentials(family.phone).map(\.relyingPartyID) == ["other.org"])
        #expect(await Self.credentials(family.tablet).count == 2)
        #expect(try await family.tablet.device.renamePasskey(PasskeyFilter(account: "ada"), to: "countess"))
        await family.pass(.seconds(1000))
        #expect(await Self.credentials(family.phone).count == 1)
    }

    @Test("A restored device catches up with its account and deletes no passkey there")
    func restored() async throws {
        let family = try await Family()
        let before = try await family.phone.device.exportState()
        try await family.phone.register(user: "ada")
        await family.pass(.seconds(20))
        try await family.phone.device.restore(before)
        #expect(await Self.credentials(family.phone).isEmpty)
        await family.pass(.seconds(20))
        #expect(await Self.credentials(family.phone).count == 1)
        #expect(await Self.credentials(family.tablet).count == 1)
        // An old snapshot does not restore a passkey that the account deleted since.
        let kept = try await family.phone.device.exportState()
        try await family.tablet.device.forgetPasskeys(PasskeyFilter(), .everywhere)
        await family.pass(.seconds(20))
        try await family.phone.device.restore(kept)
        await family.pass(.seconds(20))
        #expect(await Self.credentials(family.phone).isEmpty)
    }

    @Test("If a passkey is shared again after the account deleted it, it is kept and synced again")
    func sharedBack() async throws {
        let family = try await Family()
        let friend = try Device("iphone-face-id", on: family.clock)
        try await family.phone.register(user: "ada")
        await family.pass(.seconds(20))
        try await family.phone.device.sharePasskeys(with: friend.device)
        try await family.phone.device.forgetPasskeys(PasskeyFilter(), .everywhere)
        await family.pass(.seconds(20))
        #expect(await Self.credentials(family.tablet).isEmpty)
        try await friend.device.sharePasskeys(with: family.phone.device)
        await family.pass(.seconds(19))
        #expect(await Self.credentials(family.phone).count == 1)
        #expect(await Self.credentials(family.tablet).isEmpty)
        await family.pass(.seconds(1))
        #expect(await Self.credentials(family.phone).map(\.isBackedUp) == [true])
        #expect(await Self.credentials(family.tablet).count == 1)
        // It is deleted again like any other, and an old snapshot does not restore it.
        let kept = try await family.phone.device.exportState()
        try await family.tablet.device.forgetPasskeys(PasskeyFilter(), .everywhere)
        await family.pass(.seconds(20))
        #expect(await Self.credentials(family.phone).isEmpty)
        try await family.phone.device.restore(kept)
        await family.pass(.seconds(40))
        #expect(await Self.credentials(family.phone).isEmpty)
        #expect(await Self.credentials(family.tablet).isEmpty)
    }

    @Test("A passkey deleted while a device is offline is deleted there once it is online")
    func deletedWhileOffline() async throws {
        let family = try await Family()
        try await family.phone.register(user: "ada")
        await family.pass(.seconds(20))
        try family.tablet.device.setAirplaneMode(true)
        try await family.phone.device.forgetPasskeys(PasskeyFilter(), .everywhere)
        await family.pass(.seconds(20))
        #expect(await Self.credentials(family.tablet).count == 1)
        try family.tablet.device.setAirplaneMode(false)
        await family.pass(.seconds(20))
        #expect(await Self.credentials(family.tablet).isEmpty)
        #expect(await Self.credentials(family.phone).isEmpty)
    }

    @Test("The newer passkey of an account replaces the older one everywhere")
    func replaced() async throws {
        let family = try await Family()
        try await family.phone.register(user: "ada")
        await family.pass(.seconds(20))
        try await family.tablet.register(user: "ada")
        await family.pass(.seconds(20))
        let (first, second) = (await Self.credentials(family.phone), await Self.credentials(family.tablet))
        #expect(first.map(\.id) == second.map(\.id))
        #expect(first.count == 1)
    }

    @Test("Only devices of one provider with backed-up, uncounted passkeys share an account")
    func unsuitable() async throws {
        let family = try await Family()
        for other in ["pixel-fingerprint", "security-key-pin"] {
            let device = try Device(other)
            await #expect(throws: DeviceRefusal.self) { try await family.account.join(device.device) }
        }
    }

    @Test("A provider that lists a new passkey late has none until then")
    func lateArrival() async throws {
        let pixel = try Device("pixel-fingerprint")
        try await pixel.device.setPasskeyDelay(seconds: 5)
        try await pixel.register()
        #expect(try await pixel.signIn() == Device.Outcome(.noCredentials, "noCredentials"))
        pixel.clock.advance(by: .milliseconds(4999))
        #expect(try await pixel.signIn().status == .noCredentials)
        pixel.clock.advance(by: .milliseconds(1))
        #expect(try await pixel.signIn() == .ok)
        try await pixel.device.setPasskeyDelay(seconds: 0)
        try await pixel.register(user: "grace")
        #expect(try await pixel.signIn() == .ok)
    }

    // MARK: Shared

    @Test("A shared passkey works on both devices under the same ID")
    func shared() async throws {
        let (phone, other) = (try Device("iphone-face-id"), try Device("iphone-touch-id"))
        try await phone.register(user: "ada")
        try await phone.register(user: "grace", at: "other.org")
        try await phone.device.sharePasskeys(PasskeyFilter(account: "ada"), with: other.device)
        let (original, copy) = (await Self.credentials(phone), await Self.credentials(other))
        #expect(copy.map(\.id) == [original[0].id])
        #expect(copy[0].publicKey == original[0].publicKey)
        #expect(try await phone.signIn() == .ok)
        #expect(try await other.signIn() == .ok)
    }

    @Test("A passkey that cannot be shared stays on its device")
    func notShared() async throws {
        let (phone, other) = (try Device("iphone-face-id"), try Device("iphone-touch-id"))
        await #expect(throws: DeviceRefusal.noSuchPasskey) { try await phone.device.sharePasskeys(with: other.device) }
        try await phone.register()
        try other.device.setAirplaneMode(true)
        await #expect(throws: DeviceRefusal.offline) { try await phone.device.sharePasskeys(with: other.device) }
        try other.device.setAirplaneMode(false)
        try await other.device.lock()
        await #expect(throws: DeviceRefusal.deviceLocked) {
            try await phone.device.sharePasskeys(with: other.device)
        }
        _ = try await other.device.unlock(correctly: true)
        let bound = try Device(
            "iphone-face-id", replacing: "eligible: true, state: true", with: "eligible: false, state: false")
        try await bound.register()
        await #expect(throws: DeviceRefusal.deviceBound) { try await bound.device.sharePasskeys(with: other.device) }
        #expect(await Self.credentials(other).isEmpty)
        let pixel = try Device("pixel-fingerprint")
        let refusal = await #expect(throws: DeviceRefusal.self) {
            try await phone.device.sharePasskeys(with: pixel.device)
        }
        #expect(
            refusal?.description
                == "iphone-face-id and pixel-fingerprint belong to different passkey providers, which do not share passkeys"
        )
        #expect(await Self.credentials(pixel).isEmpty)
    }

    @Test("Passkeys that do not all fit stay on their device")
    func noRoom() async throws {
        let phone = try Device("iphone-face-id")
        let small = try Device("iphone-touch-id", replacing: "capacity: 1000", with: "capacity: 1")
        try await phone.register(user: "ada")
        try await phone.register(user: "grace")
        await #expect(throws: DeviceRefusal.noSpace) { try await phone.device.sharePasskeys(with: small.device) }
        await #expect(throws: DeviceRefusal.noSpace) { try await small.device.takeOver(from: phone.device) }
        #expect(await Self.credentials(small).isEmpty)
        #expect(await Self.credentials(phone).count == 2)
        try await phone.device.sharePasskeys(PasskeyFilter(account: "ada"), with: small.device)
        // The same account needs no more room.
        try await phone.device.sharePasskeys(PasskeyFilter(account: "ada"), with: small.device)
        #expect(await Self.credentials(small).count == 1)
    }

    // MARK: Replaced

    @Test("A new device receives only backed-up passkeys and migrating items")
    func takeOver() async throws {
        let (old, new) = (try Device("iphone-touch-id"), try Device("iphone-face-id"))
        try await old.register()
        try await old.storage.store([1], as: "migrates", protection: .init(.none, .afterFirstUnlock, migrates: true))
        try await old.storage.store([2], as: "here only", protection: .init(.none))
        try await old.storage.store([3], as: "guarded", protection: .init(.anyBiometry, migrates: true))
        try await old.storage.store([4], as: "passcode", protection: .init(.none, .whenPasscodeSet, migrates: true))
        try await new.device.takeOver(from: old.device)

        #expect(new.storage.ids.map(\.description) == ["migrates"])
        #expect(await Self.credentials(new).count == 1)
        #expect(new.device.lifeState.apps["app"]?.label == "killed")
        #expect(await new.device.verifyUser(.biometrics).cause == "appNotRunning")
        try await new.device.perform(.launch)
        #expect(await new.storage.read("migrates") == .success([1]))
        #expect(await new.device.verifyUser(.biometrics).cause == "notEnrolled")
        // The passcode verifies the user before a template is enrolled.
        #expect(try await new.signIn() == .ok)

        #expect(await Self.credentials(old).isEmpty)
        #expect(old.storage.ids.isEmpty)
        #expect(old.device.obstacleToCeremony() == "deviceReplaced")
        #expect(await old.storage.read("migrates").cause == "deviceReplaced")
        #expect(await old.device.perform(DeviceAct(LockScreen())) == .refused("deviceReplaced"))
    }

    @Test(
        "Devices of one provider belong together, also those older than its AAGUID",
        arguments: [
            ("iphone-face-id", "iphone-face-id-older", true), ("iphone-face-id-older", "iphone-touch-id", true),
            ("pixel-fingerprint", "iphone-face-id-older", false), ("pixel-fingerprint", "iphone-face-id", false),
        ])
    func providers(new: String, old: String, goTogether: Bool) throws {
        let (new, old) = (try Shop.library.profile(new), try Shop.library.profile(old))
        #expect((SyncAccount.obstacle(to: new, besides: old) == nil) == goTogether)
    }

    @Test("A new device replaces the old one in its account, and an impossible replacement changes nothing")
    func takeOverInAccount() async throws {
        let family = try await Family()
        try await family.phone.register(user: "ada")
        await family.pass(.seconds(20))
        let stranger = try Device("pixel-fingerprint", on: family.clock)
        let error = await #expect(throws: DeviceRefusal.self) {
            try await stranger.device.takeOver(from: family.phone.device, in: [family.account])
        }
        #expect(error?.description.contains("different passkey providers") == true)
        #expect(await family.account.hasMember(family.phone.device))
        #expect(await Self.credentials(family.phone).count == 1)

        let new = try Device("iphone-face-id", on: family.clock)
        try await new.device.takeOver(from: family.phone.device, in: [family.account])
        #expect(await family.account.hasMember(new.device))
        let isMember = await family.account.hasMember(family.phone.device)
        #expect(!isMember)
        try await family.tablet.register(user: "grace", at: "other.org")
        await family.pass(.seconds(20))
        #expect(await Self.credentials(new).count == 2)
    }

    @Test("Passkeys and secrets do not move to another provider or platform, not even in an account of one device")
    func takeOverAcrossPlatforms() async throws {
        let (old, new) = (try Device("iphone-face-id"), try Device("pixel-fingerprint"))
        try await old.register()
        try await old.storage.store([1], as: "migrates", protection: .init(.none, .afterFirstUnlock, migrates: true))
        let account = SyncAccount(name: "icloud", time: old.clock)
        try await account.join(old.device)
        await #expect(throws: DeviceRefusal.self) { try await new.device.takeOver(from: old.device, in: [account]) }
        #expect(await Self.credentials(old).count == 1)
        await account.leave(old.device)

        try await new.device.takeOver(from: old.device)
        #expect(await Self.credentials(new).isEmpty)
        #expect(new.storage.ids.isEmpty)
        #expect(await Self.credentials(old).isEmpty)
        #expect(new.device.lifeState.apps["app"]?.label == "killed")
    }

    @Test("Android's keys and device-bound passkeys stay on the old device")
    func takeOverAndroid() async throws {
        let old = try Device(
            "pixel-fingerprint", replacing: "eligible: true, state: true", with: "eligible: false, state: false")
        let new = try Device("pixel-fingerprint")
        try await old.register()
        try await old.storage.store([1], as: "token", protection: .init(.none, migrates: true))
        try await new.device.takeOver(from: old.device)
        #expect(await Self.credentials(new).isEmpty)
        #expect(new.storage.ids.isEmpty)
    }

    @Test("A security key replaces no device, and no device replaces itself")
    func noTakeOver() async throws {
        let (phone, key) = (try Device("iphone-face-id"), try Device("security-key-pin"))
        await #expect(throws: DeviceRefusal.noScreen) { try await key.device.takeOver(from: phone.device) }
        await #expect(throws: DeviceRefusal.self) { try await phone.device.takeOver(from: phone.device) }
        #expect(phone.device.obstacleToCeremony() == nil)
    }
}
