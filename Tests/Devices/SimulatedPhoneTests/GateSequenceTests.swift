import Biometrics
import Causes
import DeviceActs
import DeviceProfiles
import Foundation
import PlatformErrors
import SimulatedAppleNames
import SimulatedDevice
import Synchronization
import Testing
import VirtualAuthenticator

@testable import SimulatedPhone

/// A door to a device through which a sequence is played.
private protocol GateDoor {
    func play(_ move: GateSequence.Move) async throws -> GateSequence.Result
}

/// The door of scenarios: acts in their words on a device.
private struct ScenarioDoor: GateDoor {
    let device: SimulatedDevice
    let clock = SimulatedClock()
    let user: ControlledUser

    init(_ profile: DeviceProfile) throws {
        let wait: @Sendable (Duration) async -> Void = { [clock] in clock.advance(to: $0) }
        user = ControlledUser(habit: .auto, waitUntil: wait)
        device = try SimulatedDevice(
            profile: profile, time: clock, random: SeededRandomSource(seed: 1), user: user, wait: wait)
    }

    func play(_ move: GateSequence.Move) async throws -> GateSequence.Result {
        switch move {
        case .act(let verb, let arguments): return try await act(verb, arguments)
        case .wait(let span):
            clock.advance(by: span)
            return .done
        case .verify(let allowed, let acts, let options):
            var arguments = ["allow": allowed.rawValue]
            arguments["context"] = options.context
            if !options.hasFallbackButton { arguments["fallback-button"] = "no" }
            if options.reuse > 0 { arguments["reuse"] = "\(options.reuse)" }
            if !options.allowsInteraction { arguments["interaction"] = "no" }
            return try await ask("verify", arguments, acts, options)
        case .check(let allowed): return try await act("can-verify", ["allow": allowed.rawValue])
        case .store(let name, let access, let more):
            return try await act("store-secret", ["name": name, "access": access].merging(more) { $1 })
        case .read(let name, let acts, let options):
            var arguments = ["name": name]
            arguments["context"] = options.context
            return try await ask("read-secret", arguments, acts, options)
        case .delete(let name): return try await act("delete-secret", ["name": name])
        }
    }

    private func ask(
        _ verb: String, _ arguments: [String: String], _ acts: [PersonAct], _ options: GateSequence.Options
    ) async throws -> GateSequence.Result {
        for act in acts { await user.tell(act.act) }
        if let (verb, arguments) = options.meanwhile {
            let act = try DeviceAct(verb: verb, arguments: arguments)
            await user.interrupt { [device] in _ = await Task { await device.perform(act) }.value }
        }
        let result = try await act(verb, arguments)
        _ = await user.clearQueuedActs()
        _ = await user.forgetInterruption()
        return result
    }

    private func act(_ verb: String, _ arguments: [String: String]) async throws -> GateSequence.Result {
        let act = try DeviceAct(verb: verb, arguments: arguments)
        let result = await device.perform(act)
        guard let cause = result.cause else { return result.idleness == nil ? .done : .idle }
        guard let operation = act.operation else { return .refused(cause.rawValue) }
        let interface = [.read, .store].contains(operation) ? "keychain" : "la-error"
        let errors = device.profile.platformErrors.errors(of: cause, during: operation)
        return errors.first { $0.interface == interface }?.code.map { .error($0) } ?? .refused(cause.rawValue)
    }
}

/// The door of an app's test: the shapes of LocalAuthentication and the Keychain.
private final class PhoneDoor: GateDoor, Sendable {
    let phone: Phone
    private let contexts = Mutex<[String: LAContext]>([:])

    init(_ profile: String) throws { phone = try Phone(profile, seed: 1) }

    func play(_ move: GateSequence.Move) async throws -> GateSequence.Result {
        switch move {
        case .act("invalidate-context", let arguments):
            context(arguments["context"]).invalidate()
            return .done
        case .act(let verb, let arguments): return act(verb, arguments)
        case .wait(let span):
            try phone.wait(span)
            return .done
        case .verify(let allowed, let acts, let options): return await verify(allowed, acts, options)
        case .check(let allowed):
            var error: NSError?
            let isPossible = context(nil).canEvaluatePolicy(allowed.policy, error: &error)
            return isPossible ? .done : result(of: error)
        case .store(let name, let access, let more): return store(name, access, more["accessibility"])
        case .read(let name, let acts, let options): return read(name, acts, options)
        case .delete(let name): return status(phone.keychainOfTest.delete(query(name) as CFDictionary))
        }
    }

    private func act(_ verb: String, _ arguments: [String: String]) -> GateSequence.Result {
        do {
            try phone.perform(verb, arguments)
            return .done
        } catch {
            return (error as? PhoneRefusal)?.cause.map { .refused($0.rawValue) } ?? .idle
        }
    }

    private func verify(
        _ allowed: GateSequence.Allowed, _ acts: [PersonAct], _ options: GateSequence.Options
    ) async -> GateSequence.Result {
        plan(acts, options)
        defer { _ = phone.person.takeMistakes() }
        let context = context(options.context)
        if !options.hasFallbackButton { context.localizedFallbackTitle = "" }
        context.touchIDAuthenticationAllowableReuseDuration = TimeInterval(options.reuse)
        context.interactionNotAllowed = !options.allowsInteraction
        do {
            try await context.evaluatePolicy(allowed.policy, localizedReason: "A sequence")
            return .done
        } catch {
            return result(of: error)
        }
    }

    private func store(_ name: String, _ access: String, _ accessibility: String?) -> GateSequence.Result {
        let flags: [String: SecAccessControlCreateFlags] = [
            "none": [], "current-set": .biometryCurrentSet, "any-biometry": .biometryAny,
            "biometry-or-passcode": .userPresence, "passcode": .devicePasscode,
            "current-set-or-passcode": [.biometryCurrentSet, .or, .devicePasscode],
            "current-set-and-passcode": [.biometryCurrentSet, .and, .devicePasscode],
        ]
        let classes = [
            "after-first-unlock": kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            "when-passcode-set": kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
        ]
        let protection = accessibility.flatMap { classes[$0] } ?? kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        let control = flags[access].flatMap { SecAccessControlCreateWithFlags(nil, protection, $0, nil) }
        // An app replaces an item by deleting it first.
        _ = phone.keychainOfTest.delete(query(name) as CFDictionary)
        var item = query(name)
        item[kSecAttrAccessControl as String] = control
        item[kSecValueData as String] = Data("token".utf8)
        return status(phone.keychainOfTest.add(item as CFDictionary, nil))
    }

    private func read(_ name: String, _ acts: [PersonAct], _ options: GateSequence.Options) -> GateSequence.Result {
        plan(acts, options)
        defer { _ = phone.person.takeMistakes() }
        var query = query(name)
        query[kSecReturnData as String] = true
        query[kSecUseAuthenticationContext as String] = options.context.map { context($0) }
        var item: CFTypeRef?
        let result = status(phone.keychainOfTest.copyMatching(query as CFDictionary, &item))
        #expect((result == .done) == (item as? Data == Data("token".utf8)))
        return result
    }

    private func query(_ name: String) -> [String: Any] {
        [kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: name]
    }

    private func plan(_ acts: [PersonAct], _ options: GateSequence.Options) {
        phone.person.will(acts)
        guard let (verb, arguments) = options.meanwhile else { return }
        phone.person.duringNextPrompt { [phone] in try phone.perform(verb, arguments) }
    }

    private func context(_ name: String?) -> LAContext {
        guard let name else { return LAContext(phone: phone) }
        return contexts.withLock { contexts in
            let context = contexts[name] ?? LAContext(phone: phone)
            contexts[name] = context
            return context
        }
    }

    private func result(of error: (any Error)?) -> GateSequence.Result {
        switch error {
        case let error as PhoneRefusal: .refused(error.cause?.rawValue ?? "")
        case let error?: result(of: error as NSError)
        case nil: .done
        }
    }

    private func result(of error: NSError) -> GateSequence.Result {
        let cause = (error.userInfo[NSUnderlyingErrorKey] as? PhoneRefusal)?.cause
        return error.domain == LAErrorDomain ? .error(error.code) : .refused(cause?.rawValue ?? "appNotRunning")
    }

    private func status(_ status: OSStatus) -> GateSequence.Result {
        status == errSecSuccess ? .done : .error(Int(status))
    }
}

extension Phone {
    fileprivate var keychainOfTest: SimulatedKeychain { SimulatedKeychain(phone: self) }
}

extension GateSequence.Allowed {
    fileprivate var policy: LAPolicy {
        self == .biometrics ? .deviceOwnerAuthenticationWithBiometrics : .deviceOwnerAuthentication
    }
}

@Suite("The scenarios' sequences through the phone's door")
struct GateSequenceTests {
    /// Every built-in profile with a sensor or passcode of Apple's.
    static let profiles = DeviceProfile.builtInNames.filter { name in
        guard let profile = try? DeviceProfile.builtIn(named: name) else { return false }
        return profile.platform.isApple && profile.authenticator.isPlatform && profile.gate != nil
    }

    @Test("The list has every iPhone, iPad and Mac")
    func list() {
        #expect(Self.profiles.count >= 10, "\(Self.profiles)")
        for name in [
            "ipad-face-id", "ipad-touch-id", "iphone-face-id", "iphone-face-id-older", "iphone-touch-id",
            "macbook-touch-id", "mac-touch-id-keyboard",
        ] {
            #expect(Self.profiles.contains(name))
        }
    }

    @Test("gives the same result, error by error, as a scenario's act", arguments: GateSequence.all, profiles)
    func sequences(sequence: GateSequence, profile: String) async throws {
        let scenario = try ScenarioDoor(DeviceProfile.builtIn(named: profile))
        let phone = try PhoneDoor(profile)
        var results: [GateSequence.Result] = []
        for (number, move) in sequence.moves.enumerated() {
            let expected = phoneForm(try await scenario.play(move), of: move)
            let result = try await phone.play(move)
            #expect(result == expected, "\(sequence.scenario) on \(profile), move \(number + 1): \(move)")
            results.append(result)
        }
        #expect(Set(results).count > 1, "a sequence without a difference shows nothing")
    }

    /// A result of a scenario as the shapes report it.
    private func phoneForm(_ result: GateSequence.Result, of move: GateSequence.Move) -> GateSequence.Result {
        switch (move, result) {
        // A cause that no Keychain reports: there is no number for it.
        case (.store, .refused), (.read, .refused), (.delete, .refused("appNotRunning")):
            .error(Int(errSecNotAvailable))
        case (.delete, .refused("itemMissing")): .error(Int(errSecItemNotFound))
        default: result
        }
    }
}
