import Biometrics
import Causes
import Foundation
import Testing

@testable import SimulatedPhone

@Suite("LAContext on a simulated phone")
struct LocalAuthenticationTests {
    private let reason = "Open the diary"

    private func code(_ context: SimulatedLAContext, _ policy: LAPolicy = .deviceOwnerAuthenticationWithBiometrics)
        async -> Int?
    {
        do {
            _ = try await context.evaluatePolicy(policy, localizedReason: reason)
            return nil
        } catch {
            #expect(error is LAError, "\(error)")
            return (error as NSError).code
        }
    }

    @Test("An evaluation succeeds, fails and locks the sensor by Apple's rules")
    func lockout() async throws {
        let phone = try Phone("iphone-face-id")
        let policies: [(acts: [PersonAct], code: LAError.Code?)] = [
            ([.match], nil),
            ([.noMatch, .match], nil),
            ([.cancel], .userCancel),
            ([.noMatch, .noMatch, .fallback], .userFallback),
            ([.noMatch, .noMatch, .giveUp], .authenticationFailed),
            ([.match], nil),
            ([.noMatch, .noMatch, .giveUp], .authenticationFailed),
            ([.noMatch, .noMatch, .giveUp], .authenticationFailed),
            ([.noMatch], .biometryLockout),
            ([], .biometryLockout),
        ]
        for (acts, expected) in policies {
            phone.person.will(acts)
            #expect(await code(SimulatedLAContext(phone: phone)) == expected?.rawValue, "\(acts)")
            try phone.checkActs()
        }
        try phone.lock()
        try phone.unlock()
        #expect(await code(SimulatedLAContext(phone: phone)) == nil)
    }

    struct State: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: LAError.Code
        let change: @Sendable (Phone) throws -> Void
    }

    static let states = [
        State(testDescription: "no face", code: .biometryNotEnrolled) { try $0.unenrol() },
        State(testDescription: "no passcode", code: .passcodeNotSet) { try $0.removePasscode() },
        State(testDescription: "no sensor", code: .biometryNotAvailable) { try $0.setSensor(.absent) },
        State(testDescription: "a failed sensor", code: .biometryNotAvailable) { try $0.setSensor(.failed) },
        State(testDescription: "a lockout", code: .biometryLockout) { try $0.lockOut() },
        State(testDescription: "no permission", code: .biometryNotAvailable) { try $0.setFaceIDPermission(false) },
    ]

    @Test("A check and an evaluation give the same error in a state", arguments: states)
    func check(state: State) async throws {
        let phone = try Phone("iphone-face-id")
        try state.change(phone)
        let context = SimulatedLAContext(phone: phone)
        var error: NSError?
        #expect(!context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error))
        #expect(error?.code == state.code.rawValue)
        #expect(error?.domain == "com.apple.LocalAuthentication")
        #expect(error?.localizedDescription.isEmpty == false)
        #expect(context.evaluatedPolicyDomainState == nil)
        #expect(await code(context) == state.code.rawValue)
        let isAbsent = state.testDescription == "no sensor"
        #expect(context.biometryType == (isAbsent ? .none : .faceID))
        #expect(phone.person.prompts.isEmpty)
    }

    @Test(
        "The kind of the sensor is known after a check",
        arguments: [
            ("iphone-face-id", LABiometryType.faceID), ("iphone-touch-id", .touchID), ("macbook-touch-id", .touchID),
            ("ipad-face-id", .faceID), ("ipad-touch-id", .touchID),
        ])
    func biometryType(profile: String, type: LABiometryType) throws {
        let context = SimulatedLAContext(phone: try Phone(profile))
        #expect(context.biometryType == .none)
        #expect(context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
        #expect(context.biometryType == type)
    }

    @Test("The domain state changes with the enrolled set, and needs a biometric check")
    func domainState() async throws {
        let phone = try Phone("iphone-face-id")
        let context = SimulatedLAContext(phone: phone)
        #expect(context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
        #expect(context.evaluatedPolicyDomainState == nil)
        #expect(context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil))
        let before = try #require(context.evaluatedPolicyDomainState)
        #expect(before.count == 32)
        #expect(context.domainState.biometry.stateHash == before && context.domainState.stateHash == before)
        try phone.enrol("second face")
        #expect(context.evaluatedPolicyDomainState == before)
        let other = SimulatedLAContext(phone: phone)
        #expect(await code(other) == nil)
        #expect(other.evaluatedPolicyDomainState != before)
    }

    @Test("A verified context needs no second prompt, and none works once it is invalidated")
    func invalidation() async throws {
        let phone = try Phone("iphone-face-id")
        let context = SimulatedLAContext(phone: phone)
        #expect(await code(context) == nil)
        #expect(await code(context) == nil)
        #expect(phone.person.prompts.count == 1)
        context.invalidate()
        #expect(await code(context) == LAError.Code.invalidContext.rawValue)
        var error: NSError?
        #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
        #expect(error?.code == -10)
    }

    @Test("Invalidating a context ends its own prompt as the app's cancellation")
    func invalidationDuringPrompt() async throws {
        let phone = try Phone("iphone-face-id")
        let context = SimulatedLAContext(phone: phone)
        phone.person.duringNextPrompt { context.invalidate() }
        #expect(await code(context) == LAError.Code.appCancel.rawValue)
        #expect(await code(context) == LAError.Code.invalidContext.rawValue)
        let other = SimulatedLAContext(phone: phone)
        let idle = SimulatedLAContext(phone: phone)
        #expect(await code(idle) == nil)
        phone.person.duringNextPrompt { idle.invalidate() }
        #expect(await code(other) == nil)
        try phone.checkActs()
    }

    @Test("Invalidating a context before its prompt is open ends the evaluation")
    func earlyInvalidation() async throws {
        let phone = try Phone("iphone-face-id")
        var early = 0
        for steps in 0..<8 {
            let context = SimulatedLAContext(phone: phone)
            let prompts = phone.person.prompts.count
            // On the phone's own executor, jobs take turns.
            let (code, isEarly) = try await phone.run {
                let evaluation = Task(executorPreference: phone.executor) { await self.code(context) }
                for _ in 0..<steps { await Task.yield() }
                let isEarly = phone.person.prompts.count == prompts
                context.invalidate()
                return (await evaluation.value, isEarly)
            }
            if isEarly {
                early += 1
                let codes = [LAError.Code.appCancel.rawValue, LAError.Code.invalidContext.rawValue]
                #expect(code.map(codes.contains) == true, "\(steps): \(code ?? 0)")
            }
            #expect(await self.code(context) == LAError.Code.invalidContext.rawValue)
        }
        #expect(early > 1)
    }

    @Test("An empty title hides the fallback button")
    func hiddenFallback() async throws {
        let phone = try Phone("iphone-face-id")
        for (title, expected) in [("Password", LAError.Code.userFallback), ("", .authenticationFailed)] {
            let context = SimulatedLAContext(phone: phone)
            context.localizedFallbackTitle = title
            phone.person.will([.noMatch, .noMatch, .fallback])
            #expect(await code(context) == expected.rawValue, "\(title)")
        }
    }

    @Test("Cancelling the task leaves its prompt open")
    func cancelledTask() async throws {
        let phone = try Phone("iphone-face-id")
        let context = SimulatedLAContext(phone: phone)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await code(context)
        }
        #expect(await task.value == nil)
        #expect(phone.person.prompts.count == 1)
    }

    @Test("A second evaluation, a lock and the home button end a prompt as the system's cancellation")
    func systemCancels() async throws {
        let phone = try Phone("iphone-touch-id")
        phone.person.duringNextPrompt {
            let other = SimulatedLAContext(phone: phone)
            _ = try await other.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Second")
        }
        #expect(await code(SimulatedLAContext(phone: phone)) == -4)
        phone.person.duringNextPrompt { try phone.background() }
        #expect(await code(SimulatedLAContext(phone: phone)) == -4)
        try phone.resume()
        phone.person.duringNextPrompt { try phone.lock() }
        #expect(await code(SimulatedLAContext(phone: phone)) == -4)
        #expect(await code(SimulatedLAContext(phone: phone)) == LAError.Code.notInteractive.rawValue)
        try phone.checkActs()
    }

    @Test("The passcode replaces the sensor by the other policy alone")
    func passcode() async throws {
        let phone = try Phone("iphone-face-id")
        try phone.lockOut()
        let context = SimulatedLAContext(phone: phone)
        #expect(await code(context) == -8)
        phone.person.will(.passcode(correct: false))
        phone.person.will(.passcode(correct: true))
        #expect(await code(context, .deviceOwnerAuthentication) == nil)
        #expect(phone.lockout == .none)
        #expect(context.evaluatedPolicyDomainState == nil)
        try phone.checkActs()
    }

    @Test("Settings of a context have their effects")
    func settings() async throws {
        let phone = try Phone("iphone-face-id")
        let silent = SimulatedLAContext(phone: phone)
        silent.interactionNotAllowed = true
        #expect(await code(silent) == -1004)

        let plain = SimulatedLAContext(phone: phone)
        plain.localizedFallbackTitle = ""
        plain.localizedCancelTitle = "Not now"
        phone.person.will(.noMatch, times: 2)
        #expect(await code(plain) == LAError.Code.authenticationFailed.rawValue)
        let sheet = PromptSheetFacts(phone.person.prompts.last)
        #expect(sheet == PromptSheetFacts(reason: reason, fallback: "", cancel: "Not now"))

        try phone.lock()
        try phone.unlock(.biometrics)
        try phone.wait(20 * .seconds)
        let prompts = phone.person.prompts.count
        let reusing = SimulatedLAContext(phone: phone)
        reusing.touchIDAuthenticationAllowableReuseDuration = 30
        #expect(await code(reusing) == nil)
        #expect(phone.person.prompts.count == prompts)
        try phone.wait(11 * .minutes)
        let late = SimulatedLAContext(phone: phone)
        late.touchIDAuthenticationAllowableReuseDuration = 3600
        #expect(await code(late) == nil)
        #expect(phone.person.prompts.count == prompts + 1)
    }

    private struct PromptSheetFacts: Equatable {
        var reason: String?
        var fallback: String?
        var cancel: String?

        init(reason: String, fallback: String, cancel: String) {
            (self.reason, self.fallback, self.cancel) = (reason, fallback, cancel)
        }

        init(_ sheet: PromptSheet?) {
            (reason, fallback, cancel) = (sheet?.reason, sheet?.fallbackTitle, sheet?.cancelTitle)
        }
    }

    @Test("A reply comes once, with a result or an error")
    func replies() async throws {
        let phone = try Phone("iphone-face-id")
        phone.person.will(.cancel)
        for expected in [LAError.Code.userCancel.rawValue, nil] {
            let answer: (Bool, Int?) = await withCheckedContinuation { continuation in
                SimulatedLAContext(phone: phone).evaluatePolicy(
                    .deviceOwnerAuthenticationWithBiometrics, localizedReason: reason
                ) { isVerified, error in
                    continuation.resume(returning: (isVerified, error.map { ($0 as NSError).code }))
                }
            }
            #expect(answer.0 == (expected == nil))
            #expect(answer.1 == expected)
        }
    }

    @Test("Errors match the patterns of catch clauses")
    func patterns() async throws {
        let phone = try Phone("iphone-face-id")
        phone.person.will(.cancel)
        do {
            _ = try await SimulatedLAContext(phone: phone).evaluatePolicy(
                .deviceOwnerAuthentication, localizedReason: reason)
            Issue.record("the user cancelled")
        } catch LAError.biometryLockout {
            Issue.record("the sensor is not locked")
        } catch LAError.userCancel {
        } catch {
            Issue.record(error)
        }
    }

    @Test("Without a phone, on another platform and in an impossible state, the answer says what to do")
    func withoutPhone() async throws {
        let context = SimulatedLAContext()
        var error: NSError?
        #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
        #expect(error?.code == -6)
        #expect(error?.localizedDescription.contains("phone.use") == true)
        #expect(await code(context) == -6)
        context.invalidate()

        let pixel = try Phone("pixel-fingerprint")
        #expect(await code(SimulatedLAContext(phone: pixel)) == -6)

        let phone = try Phone("iphone-face-id")
        await #expect {
            _ = try await SimulatedLAContext(phone: phone).evaluatePolicy(
                .deviceOwnerAuthentication, localizedReason: "")
        } throws: { ($0 as NSError).domain == "NSInvalidArgumentException" }
        await #expect(throws: PhoneRefusal.self) {
            _ = try await SimulatedLAContext(phone: phone).evaluatePolicy(
                .deviceOwnerAuthenticationWithCompanion, localizedReason: reason)
        }
        try phone.kill()
        let refusal = await #expect(throws: PhoneRefusal.self) {
            _ = try await SimulatedLAContext(phone: phone).evaluatePolicy(
                .deviceOwnerAuthentication, localizedReason: reason)
        }
        #expect(refusal?.cause == .appNotRunning)
    }

    @Test("A Mac without a watch answers the policies for one")
    func companions() async throws {
        let context = SimulatedLAContext(phone: try Phone("macbook-touch-id"))
        #expect(await code(context, .deviceOwnerAuthenticationWithBiometricsOrCompanion) == nil)
        let other = SimulatedLAContext(phone: try Phone("macbook-touch-id"))
        #expect(await code(other, .deviceOwnerAuthenticationWithCompanion) == -11)
    }

    @Test("A right is granted until it is given back")
    func rights() async throws {
        let phone = try Phone("iphone-face-id")
        let right = SimulatedLARight(requirement: .biometry, phone: phone)
        #expect(right.state == .unknown)
        try await right.checkCanAuthorize()
        try await right.authorize(localizedReason: reason)
        try await right.authorize(localizedReason: reason)
        #expect(right.state == .authorized)
        #expect(phone.person.prompts.count == 1)
        await right.deauthorize()
        #expect(right.state == .notAuthorized)
        phone.person.will(.cancel)
        let error = await #expect(throws: LAError.self) { try await right.authorize(localizedReason: reason) }
        #expect(error?.code == .userCancel)
        #expect(right.state == .notAuthorized)
        try phone.unenrol()
        await #expect(throws: LAError.self) { try await right.checkCanAuthorize() }
    }

    @Test("A thousand unlocks in parallel do not disturb each other")
    func parallelUnlocks() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let phone = try Phone("iphone-face-id", seed: UInt64(number))
                    let isCancelled = number.isMultiple(of: 2)
                    if isCancelled { phone.person.will(.cancel) }
                    let context = SimulatedLAContext(phone: phone)
                    guard context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil) else {
                        return false
                    }
                    do {
                        _ = try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Unlock")
                        return !isCancelled
                    } catch LAError.userCancel {
                        return isCancelled
                    }
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
