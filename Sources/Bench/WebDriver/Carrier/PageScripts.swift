internal import VirtualAuthenticator
internal import WebAuthn

/// The scripts of one session, with names that no page can guess.
struct PageScripts: Sendable {
    /// The script of the page's own world.
    let page: String
    /// The script of an isolated world, which alone has the binding.
    let relay: String
    /// The name of the isolated world.
    let world: String
    /// The function that sends a text to this program.
    let binding: String

    init() {
        func name() -> String { "touchstone" + Hex.encode(SystemRandomSource().bytes(16)) }
        let (line, binding) = (name(), name())
        func source(_ text: String) -> String {
            text.replacing("__TOUCHSTONE_CHANNEL__", with: line).replacing("__TOUCHSTONE_BINDING__", with: binding)
        }
        page = source(EmbeddedText.page_js)
        relay = source(EmbeddedText.relay_js)
        world = name()
        self.binding = binding
    }
}
