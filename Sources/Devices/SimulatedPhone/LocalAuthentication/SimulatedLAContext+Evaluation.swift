internal import Biometrics
internal import PlatformErrors
internal import SimulatedDevice
internal import Synchronization
internal import VirtualAuthenticator

#if canImport(LocalAuthentication)
public import Foundation
public import LocalAuthentication
#else
internal import Foundation
#endif

extension SimulatedLAContext {
    /// Checks without a prompt whether a policy can be evaluated.
    ///
    /// If it cannot, the error receives an `LAError` as `NSError`. It receives a ``PhoneRefusal`` in a state without a
    /// running app, and for a policy that the phone's system does not have. On Linux `NSError` does not cast back to `LAError`:
    /// compare its `code`, or use the pattern `LAError.biometryLockout`.
    @discardableResult
    public func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        guard let problem = obstacle(to: policy) else { return true }
        error?.pointee = problem as NSError
        return false
    }

    /// Verifies the user by a policy.
    ///
    /// Cancelling the task leaves the prompt open, as on Apple's systems, whose asynchronous call waits for the reply; the app ends
    /// the prompt with ``invalidate()``.
    ///
    /// - Returns: true; a failure throws an error.
    /// - Throws: `LAError`; for an empty reason an error of the domain `NSInvalidArgumentException`, where Apple's
    ///   system raises an exception; ``PhoneRefusal`` in a state without a running app, and for a policy that the
    ///   phone's system does not have.
    @discardableResult
    public func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        let (phone, prompts) = try preparation(of: policy, localizedReason)
        try await ask(prompts, on: phone, localizedReason)
        return true
    }

    /// Verifies the user by a policy, and calls the reply on an unspecified thread, as Apple's system does.
    public func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        Task {
            do {
                reply(try await self.evaluatePolicy(policy, localizedReason: localizedReason), nil)
            } catch {
                reply(false, error)
            }
        }
    }

    /// Invalidates the context: its open prompt ends, and later evaluations fail.
    public func invalidate() {
        let wasValid = settings.withLock { settings in
            defer { settings.isInvalid = true }
            return !settings.isInvalid
        }
        guard wasValid, let phone else { return }
        phone.executor.result { [device = phone.device, app, id] in
            // A stopped app has no contexts, and its prompts have ended.
            _ = try? await device.invalidateContext(id.name, app: app)
        }
    }
}

extension SimulatedLAContext {
    /// The reason why a policy cannot be evaluated; nil when it can.
    func obstacle(to policy: LAPolicy) -> (any Error)? {
        do {
            let phone = try usablePhone("canEvaluatePolicy")
            if let type = LABiometryType(sensorOf: phone) { settings.withLock { $0.biometryType = type } }
            let prompt = try prompt(for: policy, on: phone)
            try phone.wait { [device = phone.device, app] in try await device.checkVerification(prompt, app: app) }
            if prompt.allowed == .biometrics { keepDomainState(of: phone) }
            return nil
        } catch let refusal as DeviceRefusal {
            return phone?.localError(refusal, during: .check) ?? LAError.noPhone
        } catch {
            return error
        }
    }

    /// The phone, for a context that is valid.
    ///
    /// - Parameter call: the app's call, for the report of a missing phone.
    func usablePhone(_ call: String) throws -> Phone {
        guard let phone else {
            Phone.reportMissingPhone("LAContext.\(call)")
            throw LAError.noPhone
        }
        guard phone.device.platform.isApple else {
            throw LAError(
                .biometryNotAvailable,
                description: "\(phone.title) has no LocalAuthentication; choose the profile of an iPhone, iPad or Mac")
        }
        guard !settings.withLock({ $0.isInvalid }) else {
            throw phone.localError(DeviceRefusal.contextInvalid, during: .verify)
        }
        return phone
    }

    private func preparation(of policy: LAPolicy, _ reason: String) throws -> (Phone, [AppPrompt]) {
        guard !reason.isEmpty else { throw InvalidArgument.emptyReason }
        let phone = try usablePhone("evaluatePolicy")
        do {
            return (phone, [try prompt(for: policy, on: phone)])
        } catch let refusal as DeviceRefusal {
            throw phone.localError(refusal, during: .verify)
        }
    }

    /// The prompt of a policy; a policy for a companion fails, because the simulation has none.
    private func prompt(for policy: LAPolicy, on phone: Phone) throws -> AppPrompt {
        let isMac = phone.device.platform == .macos
        switch policy.rawValue {
        case LAPolicy.deviceOwnerAuthenticationWithBiometrics.rawValue: return prompt(allowing: .biometrics)
        case LAPolicy.deviceOwnerAuthentication.rawValue: return prompt(allowing: .biometricsOrPasscode)
        // Without a companion nearby, the policy behaves as the one for biometrics.
        case PolicyNumber.biometricsOrCompanion where isMac: return prompt(allowing: .biometrics)
        case PolicyNumber.companion where isMac: throw DeviceRefusal.companionUnavailable
        default:
            throw phone.noting(
                PhoneRefusal(
                    "\(phone.title) has no policy with the number \(policy.rawValue); choose one for its system"))
        }
    }

    func prompt(allowing allowed: AppVerification) -> AppPrompt {
        settings.withLock { settings in
            var prompt = AppPrompt(allowed)
            prompt.offersFallback = settings.fallbackTitle != ""
            prompt.reuseSeconds = settings.reuseSeconds
            prompt.context = id.name
            prompt.allowsInteraction = !settings.forbidsInteraction
            return prompt
        }
    }

    /// Shows prompts one after the other.
    func ask(_ prompts: [AppPrompt], on phone: Phone, _ reason: String) async throws {
        let sheet = settings.withLock {
            PromptSheet(
                app: app, reason: reason, fallbackTitle: $0.fallbackTitle, cancelTitle: $0.cancelTitle)
        }
        for prompt in prompts {
            let result = try await phone.executor.finish { [device = phone.device, person = phone.person, app] in
                // invalidate() may have come first.
                guard !self.isInvalid else {
                    return Result<VerificationMethod, DeviceRefusal>.failure(.contextInvalid)
                }
                return await person.seeing(sheet) { await device.verifyUser(prompt, app: app) }
            }
            switch result {
            case .success(.biometric): keepDomainState(of: phone)
            case .success(.deviceCredential): break
            case .failure(let refusal): throw phone.localError(refusal, during: .verify)
            }
        }
    }

    private func keepDomainState(of phone: Phone) {
        let state = phone.gate?.domainState
        settings.withLock { $0.domainState = state.map { Data($0) } }
    }
}

/// The numbers of policies whose names differ between versions of Apple's SDK.
private enum PolicyNumber {
    /// `deviceOwnerAuthenticationWithWatch`, later `…WithCompanion`.
    static let companion = 3
    /// `deviceOwnerAuthenticationWithBiometricsOrWatch`, later `…OrCompanion`.
    static let biometricsOrCompanion = 4
}

extension LABiometryType {
    /// The kind of a phone's first sensor; none for a phone without one.
    fileprivate init?(sensorOf phone: Phone) {
        let sensor = phone.gate?.sensors.first { $0.availability != .absent }
        switch sensor?.modality {
        case .fingerprint: self = .touchID
        case .face: self = .faceID
        case .iris: self = .opticID
        case .voice, nil: self = .none
        }
    }
}
