internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

extension LoopbackServices {
    /// The path of the page where a person begins, which `/` leads to.
    package static let firstPage = "/sign-in"
}

/// The pages on which a person signs in, manages passkeys, and confirms who they are, in any browser.
///
/// They hold no data: their script asks the relying party's API, in the session of the page's cookie.
struct PeoplePages: Sendable {
    let library: PageLibrary

    private struct Content: Sendable {
        let title: String
        let providers = OpenIDProviderName.allCases.map { Provider(id: $0.rawValue, name: $0.title) }
    }

    private struct Provider: Sendable {
        let id: String
        let name: String
    }

    func add(to routes: inout RouteTable) {
        routes.add(.get, "/") { _, _ in
            Response(status: .found, headers: [.location: LoopbackServices.firstPage])
        }
        let pages: [(path: String, page: PageLibrary.Page, title: String)] = [
            (LoopbackServices.firstPage, .signIn, "Sign in"), ("/passkeys", .passkeys, "Your passkeys"),
            ("/step-up", .stepUp, "Your account"),
        ]
        for (path, page, title) in pages {
            routes.add(.get, path) { _, _ in try library.page(page, Content(title: title)) }
        }
    }
}
