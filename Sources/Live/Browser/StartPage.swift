internal import Documents
internal import Foundation

/// The page that the browser opens first: it opens the panel in a window of its own, and then the page to try.
///
/// The panel's address carries a secret, so it is in a private file rather than among the browser's arguments, which every
/// process can read.
struct StartPage: Sendable {
    private static let pageSize = (width: 1000, height: 900)
    private static let panelWidth = 460

    let page: String
    /// The address of the panel; nil for a browser without one.
    let panel: String?
    let mode: BrowserExtension.Mode

    var html: String {
        get throws {
            let size = Self.pageSize
            let place = "popup,noopener,left=\(size.width),top=0,width=\(Self.panelWidth),height=\(size.height)"
            let openingPanel = try panel.map { "window.open(\(try Self.literal($0)), \"_blank\", \"\(place)\");" } ?? ""
            return """
                <!doctype html>
                <meta charset="utf-8">
                <title>Touchstone</title>
                <script>
                const open = () => location.replace(\(try Self.literal(page)));
                \(opening)
                \(openingPanel)
                </script>

                """
        }
    }

    /// Opens the page once the extension is at work.
    private var opening: String {
        switch mode {
        // The browser injects the scripts of an extension that it loads at its start into every page.
        case .pageScript: "open();"
        // An extension takes the browser's requests later; conditional ones are then gone.
        case .proxy:
            """
            const end = Date.now() + 3000;
            const wait = async () => Date.now() > end || !await PublicKeyCredential.isConditionalMediationAvailable()
                ? open() : setTimeout(wait, 20);
            wait();
            """
        }
    }

    /// A text as a literal of a script in a page.
    private static func literal(_ text: String) throws -> String {
        let list = String(decoding: try JSONValue.array([.text(text)]).bytes(), as: UTF8.self)
        return String(list.dropFirst().dropLast()).replacing("<", with: "\\u003c")
    }

    /// The settings of the browser's new profile: the place of the first window, and that a file may open windows.
    static let preferences = """
        {"browser": {"window_placement": {"left": 0, "top": 0, "right": \(pageSize.width), "bottom": \(pageSize.height), \
        "maximized": false}}, \
        "profile": {"content_settings": {"exceptions": {"popups": {"file:///*,*": {"setting": 1}}}}}}
        """
}
