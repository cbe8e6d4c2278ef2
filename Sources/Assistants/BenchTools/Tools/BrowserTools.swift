internal import ControlAPI
internal import Documents
internal import Foundation
internal import LoopbackHTTP
internal import ModelContext
internal import WebDriver
internal import Wording

extension Bench {
    var browserTools: [ContextTool] { [openBrowserTool, closeBrowserTool] }

    private var openBrowserTool: ContextTool {
        ContextTool(
            "open_browser", title: "Open a browser with a device",
            """
            Open Chromium with a device behind it, which answers the passkey requests of all its pages; or stand in front of a \
            running Chromium. Returns a DevTools address: a program that drives browsers, such as Playwright with \
            --cdp-endpoint, connects to it and sees no dialog. Plan the user's acts with tell_user.
            """,
            .changing, isOpen: true,
            input: .object(
                .required("device", .string(1...48), "The device's name."),
                .optional("url", .string(1...2000), "The page to open; default: none."),
                .optional(
                    "devtools", .string(1...200),
                    "The DevTools of a running Chromium on this computer, such as http://localhost:9223; default: starts one."
                ),
                .optional("windows", .boolean, "Show the windows of the new browser; default: false."))
        ) { [self] value, call in
            let arguments = Arguments(value)
            let device = arguments.text("device") ?? ""
            // An unknown device is an error before a browser starts.
            _ = try await control.operation("readDevice")?.answer(["device": .text(device)])
            let page = try arguments.text("url").map(Self.page)
            var configuration = DevToolsServer.Configuration(
                browser: try Self.browser(arguments), control: control, token: token)
            configuration.device = device
            call.tell(0, 2, "starting the browser")
            let server: DevToolsServer
            do {
                server = try await DevToolsServer.start(configuration)
            } catch let error as CancellationError {
                throw error
            } catch {
                let place = arguments.text("devtools").map { "The DevTools at \($0)" } ?? "Chromium"
                throw ToolFailure("browser.notReached", Wording.sentence("\(place) cannot be used: \(error)"))
            }
            guard !Task.isCancelled, let name = browsers.add(server) else {
                await server.stop()
                throw CancellationError()
            }
            call.tell(1, 2, "opening the page")
            if let page {
                do {
                    try await Self.open(page, in: server)
                } catch {
                    await browsers.close(name)
                    throw error
                }
            }
            return try ToolAnswer([
                "browser": .text(name), "devtools": .text(server.baseURL), "device": .text(device),
                "panel": .text(control.panelAddress()),
            ])
        }
    }

    private static func browser(_ arguments: Arguments) throws -> DevToolsServer.Browser {
        if let text = arguments.text("devtools") {
            guard !arguments.flag("windows") else {
                throw ToolFailure("member.idle", "“windows” has no effect beside “devtools”, a running browser.")
            }
            guard let address = DriverAddress(text) else {
                throw ToolFailure(
                    "devtools.invalid",
                    "“\(text)” is not an address on this computer; write it like http://localhost:9223.")
            }
            return .running(address)
        }
        do {
            return try .chromium(showsWindows: arguments.flag("windows"), or: "without “windows”")
        } catch {
            throw ToolFailure("browser.notFound", because: error)
        }
    }

    private static func page(_ text: String) throws(ToolFailure) -> URL {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host() != nil else {
            throw ToolFailure(
                "url.invalid", "“\(text)” is not the URL of a page; write it like https://localhost:3000.")
        }
        return url
    }

    /// Opens a page in a new tab.
    private static func open(_ page: URL, in server: DevToolsServer) async throws {
        let encoded = page.absoluteString.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let client = LoopbackClient(port: server.port)
        let answer = try await client.send("PUT", "/json/new?" + encoded)
        await client.close()
        guard answer.status == 200 else {
            throw ToolFailure("browser.failed", "The browser does not open the page: HTTP status \(answer.status).")
        }
    }

    private var closeBrowserTool: ContextTool {
        ContextTool(
            "close_browser", title: "Close a browser",
            "Close a browser of open_browser, or leave one that was running before. Its device stays.", .destroying,
            input: .object(.required("browser", .string(1...100), "The name that open_browser returned."))
        ) { [browsers] arguments, _ in
            let name = arguments["browser"]?.text ?? ""
            let names = browsers.names
            guard await browsers.close(name) else {
                throw ToolFailure(
                    "browser.notFound",
                    Wording.sentence("No browser is named “\(name)”" + NearestNames.question(name, among: names)))
            }
            return try ToolAnswer(["closed": .text(name)])
        }
    }
}
