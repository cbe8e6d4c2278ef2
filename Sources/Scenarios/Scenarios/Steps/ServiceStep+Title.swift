internal import Providers
internal import Wording

extension ServiceStep {
    var title: String {
        switch self {
        case .availability(let name, let availability): availability.words(for: name.rawValue)
        case .provider(let name, let fault, let place, let resident):
            ([fault.map { "\(name.title) has the fault \($0.rawValue)" } ?? "\(name.title) works as usual"]
                + [place?.words, resident.map { "\($0.name) logs in" }].compactMap { $0 }).joined(separator: ", ")
        case .member(let id, let change): "the record of \(id) gets \(change.words.joined(separator: " and "))"
        case .gateway(let access, let session, let inactivity, let biometrics):
            "in the app's backend, "
                + [
                    access.map { "an access token lasts \(Wording.span($0))" },
                    session.map { "a session lasts \(Wording.span($0))" },
                    inactivity.map { "a session ends after \(Wording.span($0)) without a refresh" },
                    biometrics.map { "biometric login is \($0.rawValue)" },
                ].compactMap { $0 }.joined(separator: ", ")
        case .organisation(let name, let rule): "biometric login is \(rule.rawValue) at \(name.rawValue)"
        case .endSessions: "every session of the gateway ends"
        case .proveAddress(let address): "the address \(address) is proved"
        case .mailbox(let settings) where settings.losesMessages: "the mailbox loses every message"
        case .mailbox(let settings) where settings.delay > .zero:
            "the mailbox delivers each message after \(Wording.span(settings.delay))"
        case .mailbox: "the mailbox delivers each message at once"
        case .wellKnown(let state): state.words
        }
    }
}

extension ServiceAvailability {
    fileprivate func words(for service: String) -> String {
        let place = endpoint.map { "\(service), endpoint \($0)," } ?? service
        return "\(place) is \(outage?.rawValue ?? ServiceStep.Usual.outage)"
            + (latency > .zero ? " and takes \(Wording.span(latency)) for each request" : "")
    }
}

extension NationalIDPlace {
    fileprivate var words: String {
        switch self {
        case .idToken: "the personnummer is in the ID token"
        case .userInfo: "the personnummer is in userinfo"
        case .both: "the personnummer is in the ID token and in userinfo"
        case .absent: "no answer has the personnummer"
        case .droppedScope: "the scope of the personnummer is not granted"
        }
    }
}

extension MemberChange {
    fileprivate var words: [String] {
        [
            role.map { "the role \($0.rawValue)" },
            nationalID.map { $0.map { "the personnummer \($0)" } ?? "no personnummer" },
        ]
        .compactMap { $0 }
    }
}

extension WellKnownState {
    fileprivate var words: String {
        switch self {
        case .served: "the domain serves its well-known files"
        case .missing: "the domain has no well-known files"
        case .html: "the domain serves a page in place of each well-known file"
        case .redirected: "the domain redirects requests for its well-known files"
        case .otherApp: "the domain's well-known files name another app"
        }
    }
}
