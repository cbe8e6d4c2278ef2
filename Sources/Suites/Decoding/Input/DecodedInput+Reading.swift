internal import CBOR
internal import COSE
package import CTAP
internal import Documents
internal import SwiftASN1
internal import Trace
internal import Wording

extension DecodedInput {
    /// Decodes the content of a file or an argument: bytes, or a text that has bytes.
    ///
    /// - Parameters:
    ///   - content: the bytes of the input; those of a text in UTF-8 are read as that text.
    ///   - kind: the kind that the bytes are; nil for the most specific one that fits.
    ///   - command: the command that a response answers; nil for the one that fits best.
    package init(_ content: [UInt8], as kind: DecodedKind? = nil, answering command: CTAPCommand? = nil)
        throws(UndecodableInput)
    {
        guard !content.isEmpty else { throw UndecodableInput("the input is empty; give bytes, JSON, PEM or a log") }
        if let problem = FileFormat.problem(content) { throw UndecodableInput(problem) }
        guard let text = Self.text(content) else {
            try self.init(bytes: content, form: "bytes", kind, command)
            return
        }
        try self.init(text: text, kind, command)
    }

    /// The text of a content, without its byte order mark; nil for bytes.
    private static func text(_ content: [UInt8]) -> String? {
        // PowerShell redirects in UTF-16.
        if content.starts(with: [0xFF, 0xFE]), content.count.isMultiple(of: 2), content.count > 2 {
            let units = stride(from: 2, to: content.count, by: 2).map {
                UInt16(content[$0]) | UInt16(content[$0 + 1]) << 8
            }
            return String(validating: units, as: UTF16.self).flatMap { isText($0) ? $0 : nil }
        }
        guard let text = String(validating: content, as: UTF8.self), isText(text) else { return nil }
        // Client data with a mark has a rule of its own.
        return text.hasPrefix("\u{FEFF}") && !text.hasPrefix("\u{FEFF}{") ? String(text.dropFirst()) : text
    }

    /// Control characters other than tabs and line breaks are bytes.
    private static func isText(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && $0.value != 0x7F || "\t\n\r\u{1B}".unicodeScalars.contains($0)
        }
    }

    private init(text: String, _ kind: DecodedKind?, _ command: CTAPCommand?) throws(UndecodableInput) {
        let trimmed = Substring(text).trimmed
        if trimmed.hasPrefix("{") || trimmed.hasPrefix("[") || trimmed.hasPrefix("\""),
            let value = try? JSONValue(parsing: Array(trimmed.utf8))
        {
            if case .text(let inner) = value, inner.contains("-----BEGIN ") {
                try self.init(pem: inner, kind, command)
                return
            }
            try self.init(json: value, Array(trimmed.utf8), kind, command)
        } else if let item = DiagnosticText.item(trimmed) {
            try self.init(
                bytes: CBOR.encode(item, ordering: .asGiven), form: "CBOR in diagnostic notation", kind, command)
        } else if kind == nil || kind == .getInfo, let info = PythonInfo.answer(trimmed) {
            self.init(info, form: "Python's description of an answer")
        } else if let key = SSHText.bytes(trimmed) {
            try self.init(bytes: key, form: "OpenSSH's text", kind, command)
        } else if kind == nil || kind == .credential, let found = ToolOutput.credential(text) {
            self.init(
                form: "the \(found.isInput ? "input" : "output") of \(found.program)", kind: .credential, [],
                found.parts, nil)
        } else if kind == nil || kind == .getInfo, let info = TokenListing.answer(text) {
            self.init(info, form: "the listing of fido2-token -I")
        } else if text.contains("-----BEGIN ") {
            try self.init(pem: text, kind, command)
        } else if kind != .conversation, let bytes = Self.annotated(text) {
            try self.init(bytes: bytes.bytes, form: bytes.form + " with comments", kind, command)
        } else if kind == nil || kind == .conversation,
            let messages = MessageLines.separated(text) ?? MessageLines.fragments(text)
        {
            self.init(ExchangeReader(messages), form: "lines")
        } else if let damage = MessageLines.damage(text) {
            throw UndecodableInput("\(damage); correct it")
        } else if kind != .conversation, let block = Self.block(text) {
            try self.init(bytes: block.bytes, form: block.form, kind, command, isGuess: block.isGuess)
        } else if let literal = try SourceLiteral.bytes(text) {
            try self.init(bytes: literal.bytes, form: literal.form + " in a declaration", kind, command)
        } else {
            let log = LogReader(text)
            if let only = log.fragments.first, log.fragments.count == 1, kind != .conversation,
                kind != nil || (only.side == nil && !PlainText.isProgram(text))
            {
                try self.init(dump: only, kind, command)
            } else if kind == nil || kind == .conversation, !log.fragments.isEmpty {
                guard kind != nil || !PlainText.isProgram(text) else {
                    throw UndecodableInput("the input is the source of a program; \(PlainText.advice)")
                }
                self.init(ExchangeReader(log.fragments), form: log.program.map { "a log of \($0)" } ?? "a log")
            } else {
                if let problem = Self.document(text) { throw UndecodableInput(problem) }
                let whole = try ByteText(text)
                try self.init(bytes: whole.bytes, form: whole.form, kind, command, isGuess: whole.isGuess)
            }
        }
    }

    private init(
        form: String, kind: DecodedKind, _ alternatives: [DecodedKind], _ parts: [DecodedPart], _ info: CBOR.Value?,
        uncertain: Set<InfoMember> = []
    ) {
        self.form = form
        self.kind = kind
        self.alternatives = alternatives
        self.info = info
        self.uncertain = uncertain
        // The bytes are the user's own, so only values that a specification calls secret are masked.
        self.parts = parts.map { part in
            var part = part
            part.fields = part.fields.map(\.withoutDoubt).map(ModelNames.named)
            return part
        }
    }

    private init(_ info: PrintedInfo, form: String) {
        let bytes = [0] + CBOR.encode(.map(info.map))
        var part = Reading.responsePart(bytes, to: .getInfo)
        part.title = "answer to GetInfo, as a program prints it"
        part.problems += InfoFindings.broken(info.map, uncertain: info.uncertain)
        self.init(form: form, kind: .getInfo, [], [part], .map(info.map), uncertain: info.uncertain)
    }

    private init(_ reader: ExchangeReader, form: String) {
        self.init(
            form: form + (reader.hasReportNumbers ? ", with the number 0 before each report, as hidapi has it" : ""),
            kind: .conversation, [], reader.parts, reader.info.flatMap(Reading.info))
    }

    /// The bytes of a dump's rows before their first damage, which comes with them.
    private init(dump: Fragment, _ kind: DecodedKind?, _ command: CTAPCommand?) throws(UndecodableInput) {
        guard let damage = dump.problems.first else {
            try self.init(bytes: dump.bytes, form: "a dump", kind, command)
            return
        }
        guard !dump.bytes.isEmpty else { throw UndecodableInput("\(damage.text); correct it") }
        do {
            try self.init(bytes: dump.bytes, form: "a damaged dump", kind, command)
        } catch {
            throw UndecodableInput("\(damage.text); correct it, because the bytes before it have no structure")
        }
        parts[parts.count - 1].problems = dump.problems + parts[parts.count - 1].problems
    }

    // MARK: Bytes

    private init(
        bytes: [UInt8], form: String, _ kind: DecodedKind?, _ command: CTAPCommand?, isGuess: Bool = false
    ) throws(UndecodableInput) {
        let readings = Reading.all(of: bytes, answering: command)
        let form = "\(form), " + Wording.counted(bytes.count, "byte")
        if let kind {
            guard let reading = Reading.read(bytes, as: kind, answering: command) else {
                throw UndecodableInput("the input is not \(kind.words); " + Self.possible(readings))
            }
            self.init(
                form: form, kind: kind, readings.filter(\.fits).map(\.kind).filter { $0 != kind }, reading.parts,
                reading.info)
            return
        }
        guard let best = readings.first, best.fits || !isGuess else {
            throw UndecodableInput(
                "\(form): they are none of the kinds that have a structure, such as a message, a key or a certificate; "
                    + Self.possible(readings))
        }
        let others = readings.dropFirst().filter { $0.fits && best.fits }.map(\.kind)
        self.init(form: form, kind: best.kind, others, best.parts, best.info)
    }

    private static func possible(_ readings: [Reading]) -> String {
        readings.isEmpty
            ? "such bytes may be a hash, a challenge, a credential ID, a signature without its form, or a part of a message"
            : "it can be read as " + readings.map { "\($0.kind.rawValue)" }.joined(separator: ", ")
    }

    // MARK: Texts

    /// The reason that a text in a known form of documents cannot be decoded; nil for other texts.
    private static func document(_ text: String) -> String? {
        let trimmed = Substring(text).trimmed
        let segments = trimmed.split(separator: ".", omittingEmptySubsequences: false)
        if segments.count == 3, trimmed.hasPrefix("eyJ") {
            return "the input is a JSON Web Token (RFC 7519); decode takes one of its three parts, without the dots. "
                + "touchstone verify --metadata takes a BLOB of the metadata service"
        }
        if ["{\"", "{ ", "{\n", "[{"].contains(where: trimmed.hasPrefix), trimmed.contains("\"") {
            if (try? JSONValue(parsing: Array(trimmed.utf8))) == nil {
                return (try? TraceLine.decode(trimmed.prefix { !$0.isNewline }.utf8)) != nil
                    ? "the input is a trace of touchstone; show it with `touchstone trace show`"
                    : "the input begins like JSON and is not valid JSON; give all of it"
            }
        }
        if ["AuthenticatorData(", "AttestationObject(", "CollectedClientData("].contains(where: trimmed.hasPrefix) {
            return "the input is Python's description of an object, which leaves bytes out; give bytes(object).hex()"
        }
        return PlainText.isProgram(text) ? "the input is the source of a program; \(PlainText.advice)" : nil
    }

    /// The bytes of a text that is one block: a single line, or lines that a program wrapped; nil for a dump and a log.
    private static func block(_ text: String) -> ByteText? {
        let lines = text.split(whereSeparator: \.isNewline).map(\.trimmed).filter { !$0.isEmpty }
        guard lines.allSatisfy({ DumpRow($0)?.offset == nil }), !isDeclaration(text) else { return nil }
        return try? ByteText(text)
    }

    /// The bytes of hexadecimal lines with comments after `#`, by which tools explain them; nil for other texts.
    private static func annotated(_ text: String) -> ByteText? {
        let lines = text.split(whereSeparator: \.isNewline).map(\.trimmed).filter { !$0.isEmpty }
        let bytes = lines.map { $0.prefix { $0 != "#" }.trimmed }.filter { !$0.isEmpty }
        guard lines.contains(where: { $0.contains("#") }), !bytes.isEmpty,
            bytes.allSatisfy({ $0.allSatisfy { HexDamage.isDigit($0) || " :,".contains($0) } })
        else { return nil }
        return try? ByteText(bytes.joined())
    }

    /// Whether escapes stand after a declaration's sign of equality.
    private static func isDeclaration(_ text: String) -> Bool {
        guard text.contains("\\x"), let sign = text.firstIndex(where: { $0 == "=" || $0 == "\\" }), text[sign] == "="
        else {
            return false
        }
        return text[..<sign].allSatisfy { $0.isLetter || $0.isNumber || " _[]:*&<>".contains($0) }
    }

    private init(json value: JSONValue, _ bytes: [UInt8], _ kind: DecodedKind?, _ command: CTAPCommand?)
        throws(UndecodableInput)
    {
        // A response beside its options and origin is a credential.
        let mayBeClientData = kind == .clientData || kind == nil && !JSONReader.hasStructure(value)
        if mayBeClientData, let reading = Reading.clientData(bytes) {
            self.init(form: "JSON", kind: .clientData, [], reading.parts, nil)
            return
        }
        if let content = JSONReader.bytes(value) {
            try self.init(bytes: content.bytes, form: "\(content.form) in JSON", kind, command)
            return
        }
        if kind == nil || kind == .jwk, let key = JSONWebKey.part(value) {
            self.init(form: "JSON", kind: .jwk, [], [key], nil)
            return
        }
        let parts = JSONReader.parts(value)
        guard !parts.isEmpty, kind == nil || kind == .credential else {
            if case .array(let items) = value, kind == nil || kind == .conversation {
                let fragments = items.compactMap(JSONReader.bytes).map { Fragment(bytes: $0.bytes) }
                if fragments.count == items.count, !fragments.isEmpty {
                    self.init(ExchangeReader(fragments), form: "JSON")
                    return
                }
            }
            if let problem = JSONReader.problemOfBytes(value) { throw UndecodableInput(problem) }
            let known = "attestationObject, authenticatorData, clientDataJSON, publicKey or signature"
            throw UndecodableInput(
                parts.isEmpty
                    ? "the JSON has no member of a credential; give one with \(known)"
                    : "the JSON is a credential; decode it as credential, or give one of its members")
        }
        self.init(form: "JSON", kind: .credential, [], parts, nil)
    }

    private init(pem text: String, _ kind: DecodedKind?, _ command: CTAPCommand?) throws(UndecodableInput) {
        if text.contains("OPENSSH PRIVATE KEY") {
            throw UndecodableInput("a private key of OpenSSH is not decoded; give its public key, the file .pub")
        }
        let documents: [PEMDocument]
        do {
            documents = try PEMText.documents(in: text)
        } catch {
            throw UndecodableInput("the input is not PEM: \(DERProblem.words(error))")
        }
        var parts: [DecodedPart] = []
        var first: Reading?
        for document in documents {
            guard let reading = Reading.all(of: document.derBytes).first else {
                throw UndecodableInput(
                    "a PEM of “\(document.discriminator)” is not decoded; give certificates or public keys")
            }
            if let kind, reading.kind != kind {
                throw UndecodableInput("the input is not \(kind.words); it can be read as \(reading.kind.rawValue)")
            }
            first = first ?? reading
            parts += reading.parts
        }
        guard let first else { throw UndecodableInput("the PEM has no document; give certificates or public keys") }
        self.init(form: "PEM", kind: first.kind, [], parts, nil)
    }
}
