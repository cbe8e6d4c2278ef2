internal import CBOR
package import COSE
package import CTAP
package import Conformance
internal import Synchronization
internal import WebAuthn

extension AuthenticatorBench {
    package func obstacle(to need: AuthenticatorNeed) -> CaseStop? {
        let obstacle = declaredObstacle(to: need)
        // An answer that cannot be read declares nothing, and denies nothing.
        guard isInfoAssumed else { return obstacle }
        switch (obstacle, need) {
        case (.notApplicable, _), (nil, .optionOff), (nil, .optionAbsent), (nil, .unsupported):
            return .blocked("the answer to getInfo cannot be read, which would declare \(need)")
        default: return obstacle
        }
    }

    private func declaredObstacle(to need: AuthenticatorNeed) -> CaseStop? {
        let info = info
        switch need {
        case .version(let versions):
            return lacking(
                info.versions.contains(where: versions.contains), need,
                "getInfo lists only the versions \(info.versions.joined(separator: ", "))")
        case .option(let option): return lacking(info.option(option) != nil, need)
        case .optionOn(let option): return lacking(info.option(option) == true, need)
        case .optionAbsent(let option):
            return info.option(option) != nil ? .notApplicable("getInfo has the option \(option.rawValue)") : nil
        case .optionOff(let option):
            return info.option(option) == true ? .notApplicable("getInfo has the option \(option.rawValue)") : nil
        case .supported(let name): return lacking(supports(name), need)
        case .unsupported(let name): return supports(name) ? .notApplicable("getInfo lists \(name)") : nil
        case .member(let member): return lacking(hasMember(member), need, "getInfo lacks \(member.name)")
        case .algorithm(let algorithm): return lacking(algorithms.contains(algorithm), need)
        case .pinProtocol(let pinProtocol):
            return lacking(info.pinUvAuthProtocols?.contains(pinProtocol.rawValue) ?? false, need)
        case .pin: return obstacleToPIN
        case .credentials: return needsToken ? obstacleToPIN : nil
        case .discoverableCredentials: return obstacleToDiscoverableCredentials
        case .builtInVerification:
            if has(.uv) { return nil }
            return info.option(.uv) == nil
                ? .notApplicable("the authenticator has no built-in user verification")
                : isSimulated ? nil : .notRun("no finger is enrolled")
        case .u2f:
            return !info.versions.contains("U2F_V2")
                ? .notApplicable("getInfo does not list U2F_V2")
                : link.u2f == nil ? .notRun("this transport carries no U2F messages") : nil
        case .touchRequests:
            guard link.tellsOfWaiting else {
                return .notApplicable("this transport does not tell that the device waits")
            }
            return lacking(!link.isTouchedByTap, need, "over NFC the tap is the touch")
        case .reports: return reports == nil ? .notRun("the device is not reached by CTAPHID") : nil
        case .apdus: return card == nil ? .notRun("the device is not reached by NFC") : nil
        case .metadata: return settings.metadata == nil ? .notRun("no metadata statement was given") : nil
        case .reset:
            return otherTransportsForReset.map {
                .notRun("the key is reset over \($0.map(\.rawValue).joined(separator: " and ")) only")
            }
        case .resetElsewhere:
            return lacking(otherTransportsForReset != nil, need, "the key may be reset over \(link.transport.rawValue)")
        case .powerCycle:
            return link.powerCycle == nil ? .notRun("the bench cannot take the power of the key away") : nil
        case .simulatedDevice: return isSimulated ? nil : .notRun("the device is not simulated")
        }
    }

    /// The transports for a reset where that of the run is none of them.
    private var otherTransportsForReset: [AuthenticatorTransport]? {
        info.transportsForReset.flatMap { $0.contains(link.transport) ? nil : $0 }
    }

    private func lacking(_ condition: Bool, _ need: AuthenticatorNeed, _ reason: String? = nil) -> CaseStop? {
        condition ? nil : .notApplicable(reason ?? "getInfo lacks \(need)")
    }

    /// The algorithms it declares; ES256 where it declares none, which every authenticator of CTAP 2.0 has.
    package var algorithms: [COSE.Algorithm] { info.algorithms?.map(\.algorithm) ?? [.es256] }

    /// Whether making a credential takes a PIN.
    var needsToken: Bool { settings.comparison == nil && (has(.clientPin) || (has(.alwaysUv) && !has(.uv))) }

    private var obstacleToPIN: CaseStop? {
        switch info.option(.clientPin) {
        case nil: .notApplicable("the authenticator has no client PIN")
        case true?:
            state.withLock { state in
                guard state.pin == nil else { return nil }
                return state.keepsPIN
                    ? .pinAfterReset : .notRun("the key's PIN is not known; give it with --pin-file")
            }
        case false?: mayChange ? nil : .notRun("the key has no PIN, and only --destructive sets one")
        }
    }

    private var obstacleToDiscoverableCredentials: CaseStop? {
        guard has(.rk) else { return .notApplicable("the authenticator stores no discoverable credentials") }
        if needsToken, let obstacleToPIN { return obstacleToPIN }
        if isSimulated { return nil }
        guard has(.credMgmt) || has(.credentialMgmtPreview) else {
            return mayChange ? nil : .notRun("the authenticator cannot delete single credentials")
        }
        return obstacleToPIN
    }

    package func hasMember(_ member: InfoMember) -> Bool { infoMembers[member.rawValue] != nil }
}
