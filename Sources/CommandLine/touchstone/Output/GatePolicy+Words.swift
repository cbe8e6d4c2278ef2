import Biometrics

extension GatePolicy {
    /// The policy in words, one clause each.
    var words: [String] {
        var words = [
            attemptsPerPrompt.map { "a prompt ends after \($0) failed attempts" }
                ?? "a prompt stays open until its sensors lock"
        ]
        words += lockout.words("the sensor")
        if deviceCredentialFallback { words.append("the device credential counts as user verification") }
        switch confirmation {
        case .required: words.append("the match of a face is confirmed")
        case .appDecides: words.append("the match of a face is confirmed, unless the app does not want that")
        case .never: break
        }
        if requiresAttention { words.append("a face must look at the device") }
        words += strongAuthentication.map { "the device credential is due \($0.words)" }
        if sensorsNeedCredential { words.append("without a device credential the sensors verify nobody") }
        if powerCycleRequiresCredential { words.append("the device credential is due after a restart") }
        if powerCycleClearsLockout { words.append("a power cycle opens the sensors") }
        for delay in credentialLockout?.delays ?? [] {
            words.append("\(delay.failures) wrong entries of the device credential delay it for \(delay.delay.words)")
        }
        if let end = credentialLockout?.permanentAt {
            let erases = credentialLockout?.permanentErases == true
            words.append("\(end) of them \(erases ? "erase the device" : "disable it for good")")
        }
        return words
    }
}

extension LockoutPolicy {
    func words(_ sensor: String) -> [String] {
        var words: [String] = []
        let after = expiryClearsCount ? ", after which the count starts over" : ""
        if let timedEvery {
            words.append("every \(timedEvery) failures in a row close \(sensor) for \(timedDuration.words)\(after)")
        } else if !timedAt.isEmpty {
            let counts = timedAt.map { "\($0)" }.joined(separator: ", ")
            words.append("\(counts) failures in a row close \(sensor) for \(timedDuration.words)\(after)")
        }
        if let permanentAt {
            words.append("\(permanentAt) failures in a row close \(sensor) until the credential is entered")
        }
        return words
    }
}

extension StrongAuthenticationRule {
    fileprivate var words: String {
        var conditions: [String] = []
        if let sinceCredential { conditions.append("\(sinceCredential.words) after it was entered") }
        if let sinceUnlock { conditions.append("\(sinceUnlock.words) after an unlock") }
        if let sinceBiometric { conditions.append("\(sinceBiometric.words) after an unlock by biometrics") }
        if let failures { conditions.append("after \(failures) failures in a row") }
        let all = conditions.joined(separator: " and ")
        guard !classes.isEmpty else { return all }
        return "for sensors of class \(classes.map { "\($0.rawValue)" }.joined(separator: " and ")) " + all
    }
}

extension Duration {
    /// As profiles write it: `48 h`, `15 min`, `30 s`, `500 ms`.
    fileprivate var words: String {
        let milliseconds = Int64(self / .milliseconds(1))
        for (unit, size) in [("h", Int64(3_600_000)), ("min", 60_000), ("s", 1_000)]
        where milliseconds.isMultiple(of: size) {
            return "\(milliseconds / size) \(unit)"
        }
        return "\(milliseconds) ms"
    }
}
