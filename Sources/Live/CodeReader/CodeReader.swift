internal import CTAPHybrid
internal import Foundation
internal import Machine
internal import MachineNeeds
internal import Subprocess

/// Reads QR codes in pictures and on the screen, with `zbarimg`.
package enum CodeReader {
    private static let program = MachineNeed.codeReader.programs[0]
    /// The time between two looks at the screen.
    private static let pause = Duration.milliseconds(200)
    /// The exit status of the program for a picture without a code.
    private static let noCode: Int32 = 4
    /// The first byte of a picture that ``text(inPicture:)`` can read; no text begins with it.
    package static let firstByteOfPictures = PNG.signature[0]
    /// The size of the largest picture, in bytes.
    package static let largestPicture = 16 << 20

    /// Whether bytes are a picture that ``texts(inPicture:)`` can read.
    package static func isPicture(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: PNG.signature) }

    /// Checks that the program is installed, and that there is a screen.
    ///
    /// - Throws: ``CodeReaderError`` otherwise.
    package static func requireScreen() throws(CodeReaderError) {
        try requireProgram(for: .phone)
        guard DisplayVariable.first(of: [.x]) != nil else {
            let sentence =
                "\(DisplayVariable.absence(of: [.x])), so that the QR code cannot be read from the screen; run the command in a "
                + "desktop session with X, or with xvfb-run before it"
            throw CodeReaderError(.missing, MachineUse.phone.pointed(sentence))
        }
    }

    private static func requireProgram(for use: MachineUse = .scan) throws(CodeReaderError) {
        guard ProgramSearch.path(of: [program]) != nil else {
            throw CodeReaderError(.missing, MachineNeed.codeReader.absence(for: use))
        }
    }

    /// Whether a text is that of a code for phones.
    package static func isForPhones(_ text: String) -> Bool { text.uppercased().hasPrefix(QRContents.prefix) }

    /// The text of the one code for phones in a picture; of the first code, where none is for phones.
    ///
    /// - Throws: ``CodeReaderError`` for bytes that are not a PNG picture or show no code, and without the program.
    package static func text(inPicture bytes: [UInt8]) async throws(CodeReaderError) -> String {
        let texts = try await texts(inPicture: bytes)
        guard let text = texts.first(where: isForPhones) ?? texts.first else {
            throw CodeReaderError(.noCode, "the picture shows no QR code; take one that shows the whole code")
        }
        return text
    }

    /// The texts of the codes in a picture.
    ///
    /// - Throws: ``CodeReaderError`` for bytes that are not a PNG picture, and without the program.
    private static func texts(inPicture bytes: [UInt8]) async throws(CodeReaderError) -> [String] {
        guard isPicture(bytes) else {
            throw CodeReaderError(.notAPicture, "the picture is not in PNG format; save it as PNG")
        }
        try requireProgram()
        return try await read("png:-", bytes) { output in
            CodeReaderError(.notAPicture, "the picture cannot be read: \(output); save it again as PNG")
        }
    }

    /// The texts of the codes on the screen now.
    ///
    /// - Throws: ``CodeReaderError`` when the screen cannot be read.
    private static func textsOnScreen(_ screen: [String: String] = [:]) async throws(CodeReaderError) -> [String] {
        let surroundings = Dictionary(
            uniqueKeysWithValues: screen.map { (Environment.Key(stringLiteral: $0), $1 as String?) })
        return try await read("x:root", [], .inherit.updating(surroundings)) { output in
            CodeReaderError(
                .missing,
                "\(program) cannot read the screen, so that the phone scans no QR code: \(output); use an X display, such as that "
                    + "of xvfb-run")
        }
    }

    /// The text of the code for phones on the screen.
    ///
    /// - Parameter screen: the variables by which the program reaches the screen, such as `DISPLAY`.
    /// - Throws: ``CodeReaderError`` when the screen shows none or cannot be read.
    package static func text(onScreen screen: [String: String]) async throws(CodeReaderError) -> String {
        try requireProgram()
        guard let text = try await textsOnScreen(screen).first(where: isForPhones) else {
            throw CodeReaderError(.noCode, "the screen shows no QR code for a phone; open the browser's dialog first")
        }
        return text
    }

    /// Calls an act with the texts of the codes for phones that appear on the screen, each once, until the task is cancelled.
    ///
    /// - Throws: ``CodeReaderError`` when the screen cannot be read.
    package static func watchScreen(_ act: (String) -> Void) async throws(CodeReaderError) {
        var seen: Set<String> = []
        while !Task.isCancelled {
            for text in try await textsOnScreen() where isForPhones(text) && seen.insert(text).inserted { act(text) }
            try? await Task.sleep(for: pause)
        }
    }

    private static func read(
        _ place: String, _ input: [UInt8], _ environment: Environment = .inherit, _ failure: (String) -> CodeReaderError
    ) async throws(CodeReaderError) -> [String] {
        let read = try? await run(
            .name(program), arguments: ["--raw", "--quiet", "--nodbus", "-Sdisable", "-Sqrcode.enable", place],
            environment: environment,
            input: .array(input), output: .string(limit: 1 << 16), error: .string(limit: 1 << 12))
        guard !Task.isCancelled else { return [] }
        guard let read, case .exited(let status) = read.terminationStatus, [0, noCode].contains(status) else {
            let output = (read?.standardError ?? "it does not start").trimmingCharacters(in: .whitespacesAndNewlines)
            throw failure(output)
        }
        return read.standardOutput.split(separator: "\n").map(String.init)
    }
}

/// The reason why a QR code cannot be read.
package struct CodeReaderError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// A program or a screen is missing.
        case missing
        case notAPicture
        /// The picture or the screen shows no code.
        case noCode
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }
}
