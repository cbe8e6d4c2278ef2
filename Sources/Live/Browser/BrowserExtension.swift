internal import ControlAPI
internal import Crypto
internal import Documents
internal import Foundation

/// The browser extension that answers passkey requests of pages with a device.
package struct BrowserExtension: Sendable {
    /// How the extension receives the requests of pages.
    package enum Mode: String, CaseIterable, Sendable {
        /// A script in each page answers in place of the browser.
        case pageScript = "page-script"
        /// The browser hands its own requests to the extension.
        case proxy

        fileprivate var manifest: String {
            switch self {
            case .pageScript: EmbeddedText.manifest_json
            case .proxy: EmbeddedText.manifest_proxy_json
            }
        }
    }

    /// The URL of the control API.
    package let control: String
    package let token: String
    package let device: String
    package let mode: Mode

    package init(control: String, token: String, device: String, mode: Mode) {
        (self.control, self.token, self.device, self.mode) = (control, token, device, mode)
    }

    /// The origin of the extension's own requests.
    ///
    /// Chromium derives the ID from the manifest's key: the first half of its SHA-256, with a digit's letters from a to p.
    package static func origin(_ mode: Mode) throws -> String {
        let manifest = try JSONValue(parsing: Array(mode.manifest.utf8))
        let key = Data(base64Encoded: manifest["key"]?.text ?? "") ?? Data()
        let digits = SHA256.hash(data: key).prefix(16).flatMap { [$0 >> 4, $0 & 0xF] }
        return "chrome-extension://" + String(decoding: digits.map { $0 + UInt8(ascii: "a") }, as: UTF8.self)
    }

    /// Writes the extension's folder, which only its owner can read.
    func write(to folder: URL) throws {
        try PrivateFolder.make(folder)
        let scripts = PageScripts()
        let configuration = JSONValue.object([
            "control": .text(control), "token": .text(token), "device": .text(device), "mode": .text(mode.rawValue),
        ])
        let files: [(name: String, content: String)] = [
            ("manifest.json", mode.manifest),
            ("config.json", String(decoding: try configuration.bytes(), as: UTF8.self)),
            ("control.js", EmbeddedText.control_js), ("transport.js", EmbeddedText.transport_js),
            ("documents.js", EmbeddedText.documents_js), ("proxy.js", EmbeddedText.proxy_js),
            ("page.js", scripts.page), ("relay.js", scripts.relay),
        ]
        for file in files { try PrivateFolder.write(Array(file.content.utf8), to: folder.appending(path: file.name)) }
    }
}
