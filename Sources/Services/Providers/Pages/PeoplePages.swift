internal import Hummingbird
internal import LoopbackHTTP

/// The pages on which a person signs in, manages passkeys, and confirms who they are, in any browser.
///
/// They hold no data: their script asks the relying party's API, in the session of the page's cookie.
struct PeoplePages: Sendable {
    let library: PageLibrary

    private struct Content: Sendable {
        let title: String
    }

    func add(to routes: inout RouteTable) {
        let pages: [(path: String, page: PageLibrary.Page, title: String)] = [
            ("/sign-in", .signIn, "Sign in"), ("/passkeys", .passkeys, "Your passkeys"),
            ("/step-up", .stepUp, "Your account"),
        ]
        for (path, page, title) in pages {
            routes.add(.get, path) { _, _ in try library.page(page, Content(title: title)) }
        }
    }
}
