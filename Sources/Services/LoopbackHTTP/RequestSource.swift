package import HTTPTypes
internal import NIOHTTP1

/// The page that a request comes from, as its browser states it (Fetch §3.2, Fetch Metadata §2).
///
/// The images, scripts, forms and links of every page reach the servers of this computer. A browser states an `Origin` for a
/// few of these requests, and `Sec-Fetch-Site` for all; a program states neither.
package struct RequestSource: Sendable {
    /// The page's origin; nil without one.
    ///
    /// Several fields give an origin that no server accepts.
    package let origin: String?
    /// Whether a link opens the address in a window, so that the page with the link does not see the answer.
    package let opensWindow: Bool
    /// The relation of the page to the server, such as `cross-site`; nil from a program.
    private let site: String?

    /// The relations of requests that no other site's page has caused: of the user, and of the server's own pages.
    private static let own: Set = ["none", "same-origin"]

    package init(_ fields: HTTPFields) {
        self.init { name in HTTPField.Name(name).flatMap { fields[$0] } }
    }

    init(_ headers: HTTPHeaders) {
        self.init { name in
            let values = headers[name]
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
    }

    private init(_ field: (String) -> String?) {
        origin = field("Origin")
        site = field("Sec-Fetch-Site")
        opensWindow = field("Sec-Fetch-Mode") == "navigate" && field("Sec-Fetch-Dest") == "document"
    }

    /// Whether the request comes from a program, the user or a page of the server itself, as far as the site tells.
    var isOfOwnSite: Bool { site.map(Self.own.contains) ?? true }

    /// Refuses a request that a page of another site has caused, also one of another port of this computer.
    ///
    /// - Throws: `site.forbidden`.
    package func checkSite() throws(APIError) {
        if let site, !isOfOwnSite { throw .siteForbidden(site) }
    }
}
