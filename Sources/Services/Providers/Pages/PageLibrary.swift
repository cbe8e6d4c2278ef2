internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import Mustache

/// The pages for people, made from the templates in `Templates`.
struct PageLibrary: Sendable {
    enum Page: String, CaseIterable {
        case providerLogin, providerProblem, signIn, passkeys, stepUp

        fileprivate var template: String {
            switch self {
            case .providerLogin: EmbeddedText.providerLogin_mustache
            case .providerProblem: EmbeddedText.providerProblem_mustache
            case .signIn: EmbeddedText.signIn_mustache
            case .passkeys: EmbeddedText.passkeys_mustache
            case .stepUp: EmbeddedText.stepUp_mustache
            }
        }
    }

    private let library: MustacheLibrary

    /// The library, parsed once in a process.
    static let shared = Result { try PageLibrary() }

    private init() throws {
        var library = MustacheLibrary()
        try library.register(EmbeddedText.layout_mustache, named: "layout")
        for page in Page.allCases { try library.register(page.template, named: page.rawValue) }
        self.library = library
    }

    func add(to routes: inout RouteTable) {
        routes.add(.get, "/pages/style.css") { _, _ in
            Self.file(EmbeddedText.style_css, type: "text/css; charset=utf-8")
        }
        routes.add(.get, "/pages/app.js") { _, _ in
            Self.file(EmbeddedText.app_js, type: "text/javascript; charset=utf-8")
        }
    }

    /// A page made of its content's properties.
    func page(_ page: Page, status: HTTPResponse.Status = .ok, _ content: some Sendable) throws -> Response {
        guard let html = library.render(content, withTemplate: page.rawValue) else { throw APIError.internalError }
        var response = Self.file(html, type: "text/html; charset=utf-8")
        response.status = status
        for (name, value) in Self.fields { response.headers[name] = value }
        return response
    }

    private static func file(_ text: String, type: String) -> Response {
        Response(status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// The headers of pages, which load only the server's own files.
    ///
    /// Forms need a referrer on their own site: without one a browser sends `Origin: null`.
    private static let fields: [(HTTPField.Name, String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; "
                + "frame-ancestors 'none'"
        ),
        ("Referrer-Policy", "same-origin"),
    ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
}
