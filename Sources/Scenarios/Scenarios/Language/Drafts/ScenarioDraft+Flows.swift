internal import Biometrics
internal import DeviceProfiles
internal import Documents
internal import ProfileFiles
internal import Wording

extension ScenarioDraft {
    /// The declaration of the devices; the user's phone has the profile.
    func devices(_ phone: String) -> [String] {
        switch flow {
        case .sync:
            [
                "devices: { phone: \(phone), tablet: \(phone) }",
                "sync: { account: cloud, devices: [phone, tablet], delay: 10 s }",
            ]
        case .lostPhone: ["devices: { phone: \(phone), key: security-key-bio }"]
        default: ["devices: { phone: \(phone) }"]
        }
    }

    func steps(_ library: ProfileLibrary) throws(SourceError) -> [String] {
        let shown = requirements.isEmpty ? "" : "requirements: [\(requirements.joined(separator: ", "))], "
        let account = [
            "  - create-account: ada@example.com", "  - register", "  - sign-out",
        ]
        switch flow {
        case .signIn: return account + ["  - sign-in: { \(shown)expect: { http: 200 } }"]
        case .cancelled:
            return account + [
                "  - sign-in: { person: cancel, expect: { outcome: refused, cause: userCancelled } }",
                "  - sign-in: { \(shown)expect: { http: 200 } }",
            ]
        case .mismatch:
            return account + [
                "  # After the last act of the list the user agrees.",
                "  - sign-in: { person: [no-match, match], \(shown)expect: { http: 200 } }",
            ]
        case .unlock:
            return [
                "  - store-secret: { name: session }",
                "  - app: kill",
                "  - app: launch",
                "  - read-secret: { name: session, \(shown)expect: { answer: token } }",
            ]
        case .lockout: return try same(library) { $0.stepsToLockout(showing: shown) }
        case .reEnrolment:
            return [
                "  - store-secret: { name: session }",
                "  - read-secret: { name: session, expect: { answer: token } }",
                "  - enrol: { template: a new one }",
                "  # The key of the secret is gone, so no prompt is shown.",
                "  - read-secret:",
                "      { name: session, \(shown)expect: { outcome: refused, cause: keyInvalidated, prompts: 0 } }",
            ]
        case .fallback: return account + (try same(library) { $0.stepsToFallback(showing: shown) })
        case .sync:
            return [
                "  - create-account: ada@example.com",
                "  - register: { device: phone }",
                "  - sign-out",
                "  - check: { device: tablet, expect: { credentials: 0 } }",
                "  - wait: { for: 10 s, device: tablet, expect: { credentials: 1 } }",
                "  - sign-in: { device: tablet, \(shown)expect: { backed-up: true, http: 200 } }",
            ]
        case .lostPhone:
            return [
                "  - create-account: ada@example.com",
                "  - register: { device: phone }",
                "  - register: { device: key }",
                "  - sign-out",
                "  - sign-in: { device: key, expect: { http: 200 } }",
                "  - delete-passkey: { number: 1, expect: { passkeys: 1 } }",
                "  - sign-out",
                "  # The relying party no longer knows the passkey.",
                "  - sign-in: { device: phone, \(shown)expect: { outcome: refused, code: authentication.refused } }",
            ]
        }
    }

    /// The steps that every profile has.
    private func same(
        _ library: ProfileLibrary, _ steps: (DeviceProfile) -> [String]?
    ) throws(SourceError) -> [String] {
        var first: [String]?
        for name in profiles {
            guard let own = steps(try library.profile(name)) else {
                throw problem(
                    "\(flow.rawValue) does not happen at \(name): its sensor does not lock or its prompt offers no passcode; choose another profile or flow"
                )
            }
            guard own == first ?? own else {
                throw problem(
                    "\(flow.rawValue) takes other steps at \(name) than at \(profiles[0]); write a scenario for each")
            }
            first = own
        }
        return first ?? []
    }
}

extension DeviceProfile {
    /// Prompts of an app with failed attempts until the sensor locks, and a match after it opens again; nil for a sensor that
    /// does not lock.
    fileprivate func stepsToLockout(showing shown: String) -> [String]? {
        guard sensor != nil, var gate else { return nil }
        var steps: [String] = []
        for _ in 1...GatePolicy.permanentLockoutRange.upperBound {
            guard case .sensing = gate.begin(PromptOptions(allowsDeviceCredential: false), at: .zero).step else {
                return nil
            }
            var failures = 0
            while gate.stage == .sensing {
                _ = gate.present(.nonMatch, at: .zero)
                failures += 1
                if gate.stage == .paused { _ = gate.present(.tryAgain, at: .zero) }
            }
            if gate.stage == .stopped { _ = gate.present(.giveUp, at: .zero) }
            let acts = failures == 1 ? "no-match" : "no-match x \(failures)"
            func verify(_ cause: String, _ more: String = "") -> String {
                "  - verify: { person: \(acts), \(more)expect: { outcome: refused, cause: \(cause) } }"
            }
            switch gate.lockout(at: .zero) {
            case .none: steps.append(verify("attemptsExhausted"))
            case .timed(let until):
                return steps + [
                    verify("lockedOut.timed", shown),
                    "  - wait: { for: \(Wording.span(until)), device: phone, expect: { lockout: none } }",
                    "  - verify: { person: match, expect: { failures: 0 } }",
                ]
            case .permanent, .exhausted:
                return steps + [
                    verify("lockedOut.permanent", shown),
                    "  # The passcode of the lock screen opens the sensor.",
                    "  - lock",
                    "  - unlock: { expect: { lockout: none } }",
                    "  - verify: { person: match, expect: { failures: 0 } }",
                ]
            }
        }
        return nil
    }

    /// A sign-in that fails at the sensor until the prompt offers the passcode or asks for it; nil where it never does.
    fileprivate func stepsToFallback(showing shown: String) -> [String]? {
        guard sensor != nil, deviceCredential != nil, var gate else { return nil }
        let options = PromptOptions(allowsDeviceCredential: true)
        guard case .sensing = gate.begin(options, at: .zero).step else { return nil }
        var acts: [String] = []
        for failures in 1...GatePolicy.permanentLockoutRange.upperBound {
            acts = [failures == 1 ? "no-match" : "no-match x \(failures)"]
            let step = gate.present(.nonMatch, at: .zero).step
            if step == .tryAgain(fallbackOffered: true) || step == .stopped {
                acts.append("fallback")
                break
            }
            if step == .deviceCredentialRequired || step == .challengePhraseRequired { break }
            if gate.stage == .paused { _ = gate.present(.tryAgain, at: .zero) }
            guard gate.stage == .sensing else { return nil }
        }
        return [
            "  - sign-in: { person: [\((acts + ["passcode"]).joined(separator: ", "))], \(shown)expect: { user-verified: true } }"
        ]
    }
}
