internal import VirtualAuthenticator
internal import WebAuthn

/// The scripts of one browser, with names that no page can guess.
package struct PageScripts: Codable, Sendable {
    /// The script of the page's own world.
    package let page: String
    /// The script of an isolated world, which alone has the binding.
    package let relay: String
    /// A script that runs before `page` in a browser without WebAuthn.
    package let classes: String
    /// The name of the isolated world.
    package let world: String
    /// The function that sends a text to the browser's program.
    package let binding: String

    package init() {
        func name() -> String { "touchstone" + Hex.encode(SystemRandomSource().bytes(16)) }
        let (channel, binding) = (name(), name())
        func source(_ text: String) -> String {
            text.replacing("__TOUCHSTONE_CHANNEL__", with: channel).replacing("__TOUCHSTONE_BINDING__", with: binding)
        }
        // A block, so that the page sees none of the scripts' names.
        page = source("{\n" + EmbeddedText.options_js + EmbeddedText.refusals_js + EmbeddedText.page_js + "}\n")
        relay = source(EmbeddedText.relay_js)
        classes = source(EmbeddedText.classes_js)
        world = name()
        self.binding = binding
    }
}
