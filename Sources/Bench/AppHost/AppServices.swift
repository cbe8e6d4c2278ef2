package import ReferenceApp

/// The services as the app on a device reaches them.
package protocol AppServices: Sendable {
    /// Sends a request.
    func send(_ request: AppRequest) async -> AppAnswer
    /// Opens a provider's page in the browser; nil when it cannot be shown.
    func openPage(_ path: String) async -> ProviderPage?
    /// Sends the user's decision at a page.
    ///
    /// - Returns: the address of the redirect; nil when the provider sends none.
    func decide(_ page: ProviderPage, approves: Bool) async -> String?
    /// Whether the website names the app, so that the platform opens the app for its links.
    func opensLinks(of platform: LinkPlatform) async -> Bool
    /// The codes in the mailbox of an address, the oldest first.
    func codes(sentTo address: String) async -> [String]
}

/// The platforms with universal links, by the file that a website names its app in.
package enum LinkPlatform: String, Sendable {
    case apple = "/.well-known/apple-app-site-association"
    case android = "/.well-known/assetlinks.json"
}

/// A provider's page in the browser: the address of its form, and the form's request.
package struct ProviderPage: Hashable, Sendable {
    /// The path to which the form is posted.
    package var action: String
    /// The identifier of the request in the form.
    package var request: String

    package init(action: String, request: String) {
        (self.action, self.request) = (action, request)
    }
}
