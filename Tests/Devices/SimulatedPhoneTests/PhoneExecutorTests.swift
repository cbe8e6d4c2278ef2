import Biometrics
import SimulatedDevice
import Testing
import VirtualAuthenticator

@testable import SimulatedPhone

@Suite("Synchronous calls on a phone", .timeLimit(.minutes(1)))
struct PhoneExecutorTests {
    /// More calls than the pool has threads, so that a call that waited for the pool would never return.
    static let calls = 400

    @Test("return when each call has a phone of its own")
    func ownPhones() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<Self.calls {
                group.addTask {
                    let phone = try Phone("iphone-face-id")
                    try phone.lock()
                    try phone.unlock(.biometrics)
                    return phone.isLocked
                }
            }
            for try await isLocked in group { #expect(!isLocked) }
        }
    }

    @Test("return when all share one phone with asynchronous calls")
    func sharedPhone() async throws {
        let phone = try Phone("iphone-face-id")
        let answers = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<Self.calls {
                group.addTask {
                    guard number.isMultiple(of: 3) else { return phone.hasPasscode }
                    let gate = try? await phone.run { [device = phone.device] in await device.authenticator.gate }
                    return gate?.deviceCredential != nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: true, count: Self.calls))
    }

    private actor Caller {
        func isLockedOut(_ phone: Phone) -> Bool { phone.lockout != .none }
    }

    @Test("return to an actor")
    func actors() async throws {
        let phone = try Phone("iphone-face-id")
        try phone.lockOut()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<Self.calls {
                let caller = Caller()
                group.addTask { await caller.isLockedOut(phone) }
            }
            for await isLockedOut in group { #expect(isLockedOut) }
        }
    }

    @Test("return inside an action during a prompt")
    func nestedCalls() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    let phone = try Phone("iphone-face-id")
                    try phone.lock()
                    phone.person.duringNextPrompt {
                        try phone.setAirplaneMode(true)
                        #expect(phone.isLocked && phone.hasPasscode)
                    }
                    try phone.unlock(.biometrics)
                    #expect(!phone.isLocked && !phone.isOnline)
                    try phone.checkActs()
                }
            }
            try await group.waitForAll()
        }
    }

    @MainActor private static func isHere() {}

    @Test("on the main actor end with an error where an action waits for it", .timeLimit(.minutes(1)))
    @MainActor func blockedActions() async throws {
        let phone = try Phone("iphone-face-id")
        try phone.lock()
        phone.person.duringNextPrompt {
            try phone.setAirplaneMode(true)
            await Self.isHere()
        }
        try phone.unlock(.biometrics)
        #expect(!phone.isLocked && !phone.isOnline)
        let error = #expect(throws: UnusedActs.self) { try phone.checkActs() }
        #expect("\(error, default: "none")".contains("keeps the main actor busy"))
        // An action that only acts on the phone runs there.
        try phone.lock()
        phone.person.duringNextPrompt { try phone.setAirplaneMode(false) }
        try phone.unlock(.biometrics)
        try phone.checkActs()
        #expect(phone.isOnline)
    }

    @Test("that finish a request end an action that waits for the main actor")
    @MainActor func blockedAuthorizations() throws {
        let app = try PasskeyApp()
        let listener = Listener()
        let controller = app.controller(app.registration())
        controller.delegate = listener
        app.phone.person.duringNextPrompt { await Self.isHere() }
        controller.performRequests()
        app.phone.finishAuthorizations()
        #expect(listener.heard.count == 1 && listener.codes.isEmpty)
        let error = #expect(throws: UnusedActs.self) { try app.phone.checkActs() }
        #expect("\(error, default: "none")".contains("keeps the main actor busy"))
    }

    private actor Vault {
        private(set) var isOpen = true

        func logOut() { isOpen = false }

        /// A synchronous call of the actor, with a prompt in it.
        func read(_ executor: PhoneExecutor, _ action: @escaping @Sendable () async -> Void) -> String {
            executor.result { await executor.perform(action).map { "\($0)" } ?? "none" }
        }
    }

    @Test("away from the main actor end an action that waits for their actor, after a while")
    func blockedActor() async {
        let executor = PhoneExecutor(grace: .milliseconds(50))
        let (vault, other) = (Vault(), Vault())
        #expect(await vault.read(executor) { await vault.logOut() }.contains("keeps its actor busy"))
        // The action goes on after the call.
        while await vault.isOpen { await Task.yield() }
        #expect(await vault.read(executor) { await other.logOut() } == "none")
    }

    @Test("pass on errors")
    func errors() throws {
        let phone = try Phone("iphone-face-id")
        #expect(throws: CancellationError.self) { try phone.wait { throw CancellationError() } }
    }
}
