import Foundation
import SimulatedPhone
import Testing

// The samples of the article "Test what your app does when Face ID locks"; SampleTests compares them with the page.

protocol FaceCheck {
    func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool
}

struct DiaryLock {
    enum Screen { case diary, locked, password }

    let makeContext: @Sendable () -> any FaceCheck

    func open() async -> Screen {
        do {
            _ = try await makeContext().evaluatePolicy(
                .deviceOwnerAuthenticationWithBiometrics, localizedReason: "Open the diary")
            return .diary
        } catch LAError.userCancel, LAError.systemCancel, LAError.authenticationFailed {
            return .locked
        } catch {
            return .password
        }
    }
}

extension SimulatedLAContext: FaceCheck {}

@Test func fiveWrongFacesLeadToThePassword() async throws {
    let phone = try Phone("iphone-face-id")
    try await phone.use {
        let lock = DiaryLock { SimulatedLAContext() }
        #expect(await lock.open() == .diary)

        // A prompt gives up after two looks that do not match.
        for _ in 1...2 {
            phone.person.will([.noMatch, .noMatch, .giveUp])
            #expect(await lock.open() == .locked)
        }
        // The fifth one locks the sensor.
        phone.person.will(.noMatch)
        #expect(await lock.open() == .password)

        // While it is locked, no prompt appears.
        let prompts = phone.person.prompts.count
        #expect(await lock.open() == .password)
        #expect(phone.person.prompts.count == prompts)

        // The passcode at the lock screen ends the lockout.
        try phone.lock()
        try phone.unlock()
        #expect(await lock.open() == .diary)
    }
}

@Test func afterThreeDaysTheSensorIsNotEnough() async throws {
    let phone = try Phone("iphone-face-id")
    try await phone.use {
        let lock = DiaryLock { SimulatedLAContext() }
        try phone.wait(3 * .days)
        #expect(await lock.open() == .password)
        try phone.lock()
        try phone.unlock()
        #expect(await lock.open() == .diary)
    }
}
