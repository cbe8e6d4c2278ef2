import ArgumentParser
import CTAPHybrid
import Foundation
import HybridLink
import KeyBench
import Machine
import QRPictures

/// The QR codes of `--device hybrid:`, and the link of its phone.
struct PhoneOptions: ParsableArguments {
    /// A file format of a code, by the file's suffix.
    private enum Picture: String, CaseIterable {
        case png, svg

        init?(file: String) {
            self.init(rawValue: URL(fileURLWithPath: file).pathExtension.lowercased())
        }

        func bytes(of code: QRModules) -> [UInt8] {
            switch self {
            case .png: code.png
            case .svg: Array(code.svg.utf8)
            }
        }

        private static let svgStart = Array("<svg".utf8)

        var kind: OutputFile.Kind {
            switch self {
            case .png: OutputFile.Kind("a PNG picture") { $0.starts(with: PNG.signature) }
            case .svg: OutputFile.Kind("an SVG picture") { $0.starts(with: Self.svgStart) }
            }
        }
    }

    @Option(
        help: ArgumentHelp(
            "With --device hybrid: also write each QR code to this file, as PNG or SVG by its suffix.",
            valueName: "file"))
    var qrFile: String?

    @Option(
        help: ArgumentHelp(
            """
            With --device hybrid: ask the phone for a link, and keep it under this name: --device hybrid:NAME then needs \
            no QR code.
            """, valueName: "name"))
    var link: String?

    func validate() throws {
        if let qrFile, Picture(file: qrFile) == nil {
            throw ValidationError("--qr-file \(qrFile): the suffix is neither .png nor .svg; choose one of them.")
        }
        if let link {
            do { try LinkFolder.check(link) } catch { throw ValidationError("--link: \(error).") }
        }
    }

    /// Checks that the options have a device that shows QR codes.
    func check(_ selectors: [DeviceSelector?]) throws {
        let showsCodes = selectors.contains { if case .hybrid? = $0 { true } else { false } }
        try OptionRule.need(
            "--device hybrid:", showsCodes, for: ["--qr-file": qrFile != nil, "--link": link != nil])
    }

    /// The terms for phones, with this terminal as the place where codes are shown.
    ///
    /// - Throws: `CommandError` for a file that cannot be written.
    func settings(limit: Duration? = nil) throws -> PhoneSettings {
        var settings = PhoneSettings()
        if let limit { settings.limit = limit }
        settings.asksForLink = link != nil
        var write: (@Sendable (QRModules) throws -> Void)?
        if let qrFile, let picture = Picture(file: qrFile) {
            let output = OutputFile(qrFile, picture.kind)
            try CommandError.writing(qrFile) { try output.check() }
            write = { code in
                try CommandError.writing(qrFile) { try output.replace(with: picture.bytes(of: code)) }
            }
        }
        let terminal = PhoneTerminal(write: write, linkName: link, links: settings.links)
        settings.show = terminal.show
        return settings
    }
}
