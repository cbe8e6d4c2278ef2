internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

/// The files of the panel, which are part of the program.
enum PanelFiles: String, CaseIterable {
    case page = "/panel"
    case style = "/panel/panel.css"
    case start = "/panel/panel.js"
    case access = "/panel/access.js"
    case drawing = "/panel/drawing.js"
    case sheet = "/panel/sheet.js"
    case acts = "/panel/acts.js"
    case app = "/panel/app.js"
    case log = "/panel/log.js"
    case outcome = "/panel/outcome.js"
    case copies = "/panel/copies.js"
    case records = "/panel/records.js"
    case suggestions = "/panel/suggestions.js"
    case parts = "/panel/parts.js"

    static func include(_ request: Request) -> Bool { requested(request) != nil }

    static func isPage(_ request: Request) -> Bool { requested(request) == .page }

    private static func requested(_ request: Request) -> PanelFiles? {
        request.method == .get || request.method == .head ? PanelFiles(rawValue: request.uri.path) : nil
    }

    static func add(to routes: inout RouteTable) {
        for file in allCases { routes.add(.get, file.rawValue) { _, _ in file.response } }
    }

    private var text: String {
        switch self {
        case .page: EmbeddedText.panel_html
        case .style: EmbeddedText.panel_css
        case .start: EmbeddedText.panel_js
        case .access: EmbeddedText.access_js
        case .drawing: EmbeddedText.drawing_js
        case .sheet: EmbeddedText.sheet_js
        case .acts: EmbeddedText.acts_js
        case .app: EmbeddedText.app_js
        case .log: EmbeddedText.log_js
        case .outcome: EmbeddedText.outcome_js
        case .copies: EmbeddedText.copies_js
        case .records: EmbeddedText.records_js
        case .suggestions: EmbeddedText.suggestions_js
        case .parts: EmbeddedText.parts_js
        }
    }

    private var type: String {
        switch self {
        case .page: "text/html; charset=utf-8"
        case .style: "text/css; charset=utf-8"
        default: "text/javascript; charset=utf-8"
        }
    }

    private var response: Response {
        var fields = Self.fields
        fields[.contentType] = type
        return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// The page loads nothing from elsewhere, is in no frame, and its scripts make no markup from text.
    private static let fields: HTTPFields = {
        var fields: HTTPFields = [.cacheControl: "no-store", .xContentTypeOptions: "nosniff"]
        fields[.contentSecurityPolicy] =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
            + "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
        for (name, value) in [
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ] {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }()
}
