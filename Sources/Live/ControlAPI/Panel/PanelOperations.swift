internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

enum PanelPaths {
    static let page = "/panel"
    /// Where the page exchanges the secret of its address for a token.
    static let sessions = "/v1/panel/sessions"
    static let links = "/v1/panel/links"

    /// The path of the page with the secret in its fragment, which browsers do not send.
    static func address(_ link: AccessToken) -> String { "\(page)#\(link.text)" }
}

extension ControlOperations {
    /// The operations of the device panel, whose page otherwise uses the same operations as every program.
    var panel: [Operation] {
        [
            operation(
                .post, PanelPaths.links, "createPanelLink", "Make an address that opens the device panel once", .panel,
                answer: TypedAnswer<PanelLink>("The address")
            ) { _ in
                PanelLink(
                    path: PanelPaths.address(tokens.makePanelLink()),
                    lifetimeSeconds: AccessTokens.linkLifetime / .seconds(1))
            },
            operation(
                .post, PanelPaths.sessions, "openPanel",
                "Exchange the secret of the panel's address, sent as the token, for a token of the panel", .panel,
                answer: TypedAnswer<PanelSession>("The token of the panel")
            ) { call in
                // The guard has read the same header: a scheme and a token.
                guard let link = call.headers[.authorization]?.split(separator: " ").last,
                    let token = tokens.openPanel(with: String(link))
                else { throw APIError.panelLinkNeeded }
                return PanelSession(token: token.text)
            },
        ]
    }
}

/// An address of the panel.
struct PanelLink: Codable, Sendable {
    /// The path on this server, with the secret in the fragment.
    let path: String
    /// The time in which it can be opened.
    let lifetimeSeconds: Double
}

/// An opened panel.
struct PanelSession: Codable, Sendable {
    /// The token for every other request, valid until the server ends.
    let token: String
}

extension APIError {
    fileprivate static let panelLinkNeeded = APIError(
        403, "panel.linkNeeded",
        "Only the secret of the panel's address opens the panel; POST \(PanelPaths.links) makes one.")
}
