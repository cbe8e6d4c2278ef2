internal import Crypto
internal import HTTPTypes
internal import Synchronization
internal import VirtualAuthenticator

/// The tokens that a server accepts: the one of its programs, and those it has issued for less.
final class AccessTokens: Sendable {
    /// The requests that a token permits.
    enum Grant: Hashable, Sendable {
        /// Every request of a program.
        case everything
        /// Every request of the panel's page.
        case panel
        /// Opening the panel, once and before this time.
        case panelLink(until: Duration)
        /// The requests of pages with a device, over HTTP or a WebSocket, in the browser in which the extension of an origin runs.
        case pages(device: String, origin: String)

        /// Whether a request with the token may come from an origin; `own` is the server's, as the request names it.
        func admits(_ origin: String, own: String?) -> Bool {
            switch self {
            case .everything: false
            case .panel, .panelLink: origin == own
            case .pages(_, let extensionOrigin): origin == extensionOrigin
            }
        }

        func permits(_ method: HTTPRequest.Method, _ path: String) -> Bool {
            switch self {
            case .everything, .panel: true
            case .panelLink: method == .post && path == PanelPaths.sessions
            case .pages(let name, _):
                method == .post
                    && [
                        ControlOperations.socketsPath,
                        "/v1/devices/\(name)\(ControlOperations.pageRequestsPath)",
                        "/v1/devices/\(name)\(ControlOperations.pageRequestsPath)/pick",
                    ].contains(path)
            }
        }
    }

    /// The time in which an address of the panel can be opened.
    static let linkLifetime = Duration.seconds(600)
    /// The largest number of issued tokens; the oldest one ends first.
    private static let capacity = 200

    private let main: SHA256Digest
    private let time: any TimeSource
    private let issued = Mutex<[(digest: SHA256Digest, grant: Grant)]>([])

    /// - Parameter main: the token that permits everything.
    init(_ main: AccessToken, time: any TimeSource) {
        self.main = Self.digest(main.text)
        self.time = time
    }

    /// The grant of a token; nil for a token that is unknown, used or too old.
    func grant(of text: String) -> Grant? {
        // swift-crypto compares digests in constant time.
        let digest = Self.digest(text)
        if digest == main { return .everything }
        let grant = issued.withLock { $0.first { $0.digest == digest }?.grant }
        if case .panelLink(let end) = grant, time.now() >= end { return nil }
        return grant
    }

    func makePanelLink() -> AccessToken { issue(.panelLink(until: time.now() + Self.linkLifetime)) }

    /// Exchanges the token of a link for one of the panel; nil when the link is unknown, used or too old.
    func openPanel(with link: String) -> AccessToken? {
        let digest = Self.digest(link)
        let end: Duration? = issued.withLock { issued in
            guard let place = issued.firstIndex(where: { $0.digest == digest }),
                case .panelLink(let end) = issued[place].grant
            else { return nil }
            issued.remove(at: place)
            return end
        }
        guard let end, time.now() < end else { return nil }
        return issue(.panel)
    }

    func makePageToken(device: String, origin: String) -> AccessToken { issue(.pages(device: device, origin: origin)) }

    private func issue(_ grant: Grant) -> AccessToken {
        let token = AccessToken()
        issued.withLock { issued in
            if issued.count >= Self.capacity { issued.removeFirst() }
            issued.append((Self.digest(token.text), grant))
        }
        return token
    }

    static func digest(_ text: String) -> SHA256Digest { SHA256.hash(data: Array(text.utf8)) }
}
