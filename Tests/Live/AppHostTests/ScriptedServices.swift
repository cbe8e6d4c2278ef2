import AppHost
import Providers
import ReferenceApp
import Synchronization

/// Services that answer from a table, and remember the requests.
final class ScriptedServices: AppServices {
    struct State {
        var sent: [AppRequest] = []
        var pages: [String] = []
        var tokens = 0
        var answers: [String: AppAnswer] = [:]
        var decision: String? = "code=1"
        /// The app that the domain's files name; nil for no file.
        var named: AppRegistration? = AppRegistration()
        var relation = "delegate_permission/common.handle_all_urls"
    }

    let state = Mutex(State())

    var openedPages: Int { state.withLock { $0.pages.count } }

    func change(_ edit: (inout State) -> Void) { state.withLock { edit(&$0) } }

    var refreshes: Int {
        state.withLock { state in state.sent.count { if case .refresh = $0 { true } else { false } } }
    }

    func send(_ request: AppRequest, from installation: String?) async -> AppAnswer {
        state.withLock { state in
            state.sent.append(request)
            if let answer = state.answers[request.path] { return answer }
            switch request {
            case .providerLogin, .refresh:
                state.tokens += 1
                return .response(
                    status: 200,
                    body: #"{"access_token":"a\#(state.tokens)-token","refresh_token":"r\#(state.tokens)-token","#
                        + #""expires_at":1767229200,"user":{"id":"1","name":"Ada","role":"coordinator"}}"#)
            case .home: return .response(status: 200, body: #"{"activities":2,"expense_claims":0}"#)
            default: return .response(status: 404, body: "{}")
            }
        }
    }

    func openPage(_ path: String) async -> ProviderPage? {
        state.withLock { $0.pages.append(path) }
        return ProviderPage(action: String(path.prefix { $0 != "?" }) + "/decision", request: "1")
    }

    func decide(_ page: ProviderPage, approves: Bool) async -> String? {
        state.withLock { state in
            guard let decision = approves ? state.decision : "error=access_denied" else { return nil }
            let query = state.pages.last?.split(separator: "?").last ?? ""
            let own = query.split(separator: "&").first { $0.hasPrefix("state=") } ?? ""
            return "\(AppRequest.redirectURI)?\(decision)&\(own)"
        }
    }

    func codes(sentTo address: String) async -> [String] { [] }

    func readFile(_ path: String) async -> [UInt8]? {
        let (named, relation) = state.withLock { ($0.named, $0.relation) }
        guard let app = named else { return nil }
        let file =
            path.hasSuffix("assetlinks.json")
            ? #"[{"relation":["\#(relation)"],"target":{"namespace":"android_app","#
                + #""package_name":"\#(app.androidPackage)","#
                + #""sha256_cert_fingerprints":["\#(app.androidFingerprint)"]}}]"#
            : #"{"applinks":{"details":[{"appIDs":["\#(app.appleAppID)"]}]}}"#
        return Array(file.utf8)
    }
}
