import Biometrics
import Wording

extension GatePolicy {
    /// The policy in words, one clause for each rule.
    var words: [String] {
        var words = [
            attemptsPerPrompt.map { "a prompt ends after \(Wording.counted($0, "failed attempt"))" }
                ?? "a prompt stays open until its sensors lock"
        ]
        words += lockout.words("the sensor")
        if deviceCredentialFallback { words.append("the device credential counts as user verification") }
        switch confirmation {
        case .required: words.append("the match of a face is confirmed")
        case .appDecides: words.append("the match of a face is confirmed, unless the app declines that")
        case .never: break
        }
        if requiresAttention { words.append("the user must look at the device") }
        words += strongAuthentication.map { "the device credential is due \($0.words)" }
        if sensorsNeedCredential { words.append("without a device credential the sensors do not verify") }
        if passkeysNeedCredential { words.append("without a device credential no passkey is made or used") }
        if powerCycleRequiresCredential { words.append("the device credential is due after a restart") }
        if powerCycleClearsLockout { words.append("a power cycle unlocks the sensors") }
        for delay in credentialLockout?.delays ?? [] {
            words.append(
                "after \(Wording.counted(delay.failures, "wrong entry", "wrong entries")) of the device credential, the next one waits "
                    + Wording.span(delay.delay))
        }
        if let end = credentialLockout?.permanentAt {
            let erases = credentialLockout?.permanentErases == true
            words.append("\(end) of them \(erases ? "erase the device" : "disable it permanently")")
        }
        return words
    }
}

extension LockoutPolicy {
    func words(_ sensor: String) -> [String] {
        var words: [String] = []
        let after = expiryClearsCount ? ", after which the count starts over" : ""
        if let timedEvery {
            words.append(
                "\(sensor) locks for \(Wording.span(timedDuration)) after every \(Wording.counted(timedEvery, "failure")) in a row\(after)"
            )
        } else if !timedAt.isEmpty {
            let counts = timedAt.map { "\($0)" }.joined(separator: ", ")
            words.append("\(sensor) locks for \(Wording.span(timedDuration)) after \(counts) failures in a row\(after)")
        }
        if let permanentAt {
            words.append(
                "\(sensor) locks until the credential is entered after \(Wording.counted(permanentAt, "failure")) in a row"
            )
        }
        return words
    }
}

extension StrongAuthenticationRule {
    fileprivate var words: String {
        var conditions: [String] = []
        if let sinceCredential { conditions.append("\(Wording.span(sinceCredential)) after it was entered") }
        if let sinceUnlock { conditions.append("\(Wording.span(sinceUnlock)) after an unlock") }
        if let sinceBiometric { conditions.append("\(Wording.span(sinceBiometric)) after an unlock by biometrics") }
        if let failures { conditions.append("after \(Wording.counted(failures, "failure")) in a row") }
        let all = conditions.joined(separator: " and ")
        guard !classes.isEmpty else { return all }
        return "for sensors of class \(classes.map { "\($0.rawValue)" }.joined(separator: " and ")) " + all
    }
}
