import ArgumentParser
import CTAPHybrid
import CodeReader
import DeviceHost
import Foundation
import HybridLink
import Machine

extension DeviceCommand {
    struct Scan: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "scan", abstract: "Let a phone scan QR codes, and answer the computers that show them.",
            discussion: """
                The phone answers over hybrid transport, as a real one whose camera reads the code of "use a phone". Its user \
                is asked as at its own prompts. A phone takes one command for each code, so each further command has a \
                further code.

                touchstone keys info --device hybrid: shows such a code on this computer, and touchstone browser --hybrid \
                opens a browser that shows them. docs/hybrid.md describes both.
                """)

        @OptionGroup var codes: CodeArguments
        @OptionGroup var target: Target

        func validate() throws { try codes.require() }

        func run() async throws {
            Interruption.listen(.endingProgram)
            var failure: (any Error)?
            try await codes.forEach { code, place in
                do {
                    try await target.send(.scan(code: code, at: place))
                } catch {
                    // The next code may still be right.
                    if let failure { Terminal.writeError("\(failure)") }
                    failure = error
                }
            }
            if let failure { throw failure }
        }
    }
}

/// The QR codes that a phone scans.
struct CodeArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            The codes, in order: the text FIDO:/…, a PNG file, or - for standard input, where each line may have a code.
            """, valueName: "code"))
    var codes: [String] = []

    @Flag(help: "Answer the browser that `touchstone browser --hybrid` started, and not another program.")
    var browser = false

    @Flag(help: "Scan the code on the screen of that browser.")
    var screen = false

    /// The size of the longest line of standard input, in bytes.
    private static let longestLine = CodeReader.largestPicture

    private var place: ScanPlace { browser || screen ? .browser : .program }

    func require() throws {
        guard !codes.isEmpty || screen else {
            throw ValidationError("A code is missing. Give its text, a PNG file, - for standard input, or --screen.")
        }
    }

    /// Calls an act with each code, as it comes.
    func forEach(_ act: (String, ScanPlace) async throws -> Void) async throws {
        for code in codes {
            if code == "-" {
                try await forEachOnStandardInput(act)
            } else {
                try await act(try await Self.text(of: code), place)
            }
        }
        guard screen else { return }
        do {
            try await act(try await CodeReader.text(onScreen: try BrowserPlace.current().screen), place)
        } catch let error as HybridPlaceError {
            throw CommandError("\(error)", .notFound)
        } catch let error as CodeReaderError {
            throw CommandError(error)
        }
    }

    private func forEachOnStandardInput(_ act: (String, ScanPlace) async throws -> Void) async throws {
        guard let lines = BoundedLines("/dev/stdin", limit: Self.longestLine) else {
            throw CommandError("standard input cannot be read; give the code as an argument", .badInput)
        }
        var found = false
        var picture: [UInt8]?
        for await line in Self.arriving(lines) {
            // A PNG file has a line break in its signature.
            if picture != nil {
                picture?.append(0x0A)
                picture?.append(contentsOf: line)
                guard picture.map({ $0.count <= CodeReader.largestPicture }) ?? true else { break }
                continue
            }
            if !found, line.first == CodeReader.firstByteOfPictures {
                picture = line
                continue
            }
            guard let code = Self.code(in: String(decoding: line, as: UTF8.self)) else { continue }
            found = true
            try await act(code, place)
        }
        if let picture { return try await act(try await Self.text(inPicture: picture), place) }
        guard found || Task.isCancelled else {
            throw CommandError("standard input has no code; give a line with FIDO:/ or a PNG file", .badInput)
        }
    }

    /// The lines, read on a thread of their own, which waits for the next one.
    private static func arriving(_ lines: BoundedLines) -> AsyncStream<[UInt8]> {
        let (stream, feed) = AsyncStream.makeStream(of: [UInt8].self)
        let reader = LineReader(lines: lines, feed: feed)
        Thread { reader.read() }.start()
        return stream
    }

    /// The reader of one thread.
    private final class LineReader: @unchecked Sendable {
        // Only the thread that reads uses the lines.
        private var lines: BoundedLines
        private let feed: AsyncStream<[UInt8]>.Continuation

        init(lines: BoundedLines, feed: AsyncStream<[UInt8]>.Continuation) { (self.lines, self.feed) = (lines, feed) }

        func read() {
            while let line = lines.next() { feed.yield(line) }
            feed.finish()
        }
    }

    /// The code in a line of text: `FIDO:/` and the digits after it; nil without digits.
    private static func code(in line: String) -> String? {
        guard let start = line.range(of: QRContents.prefix, options: .caseInsensitive) else { return nil }
        let digits = line[start.upperBound...].prefix { $0.isNumber }
        return digits.isEmpty ? nil : String(line[start.lowerBound..<start.upperBound]) + digits
    }

    private static func text(of argument: String) async throws -> String {
        guard !CodeReader.isForPhones(argument) else { return argument }
        guard let bytes = BoundedFile.read(argument, limit: CodeReader.largestPicture) else {
            throw CommandError(
                "\(argument): there is no such file, and the text is not that of a code for phones, which begins with FIDO:/",
                .badInput)
        }
        guard !CodeReader.isPicture(bytes) else { return try await text(inPicture: bytes) }
        guard let code = code(in: String(decoding: bytes, as: UTF8.self)) else {
            throw CommandError("\(argument): the file is neither a PNG picture nor a text with FIDO:/", .badInput)
        }
        return code
    }

    private static func text(inPicture bytes: [UInt8]) async throws -> String {
        do {
            return try await CodeReader.text(inPicture: bytes)
        } catch {
            throw CommandError(error)
        }
    }
}

extension CommandError {
    fileprivate init(_ error: CodeReaderError) {
        self.init(error.description, error.kind == .missing ? .notFound : .badInput)
    }
}
