package import ReferenceApp

/// The services as the app on a device reaches them.
package protocol AppServices: Sendable {
    /// - Parameter installation: the app's installation, for which the backend keeps one session.
    func send(_ request: AppRequest, from installation: String?) async -> AppAnswer
    /// Opens a provider's page in the browser; nil when it cannot be shown.
    func openPage(_ path: String) async -> ProviderPage?
    /// Sends the user's decision at a page; returns the address of the redirect, or nil when the provider sends none.
    func decide(_ page: ProviderPage, approves: Bool) async -> String?
    /// Reads a file of the app's domain as the platform's own servers do; nil when it is not JSON, or behind a redirect.
    func readFile(_ path: String) async -> [UInt8]?
    /// The codes in the mailbox of an address, the oldest first.
    func codes(sentTo address: String) async -> [String]
}

/// A provider's page in the browser: the address of its form, and the form's request.
package struct ProviderPage: Hashable, Sendable {
    package var action: String
    package var request: String

    package init(action: String, request: String) { (self.action, self.request) = (action, request) }

    func isOf(_ provider: Provider) -> Bool { action.hasPrefix(provider.authorizationPath) }
}
