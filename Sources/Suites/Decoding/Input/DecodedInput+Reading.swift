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
        guard let text = String(validating: content, as: UTF8.self), Self.isText(text) else {
            try self.init(bytes: content, form: "bytes", kind, command)
            return
        }
        try self.init(text: text, kind, command)
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
            try self.init(json: value, Array(trimmed.utf8), kind, command)
        } else if kind == nil || kind == .getInfo, let answer = TokenListing.answer(text),
            let reading = Reading.getInfo([0] + CBOR.encode(.map(answer)))
        {
            self.init(form: "the listing of fido2-token -I", kind: .getInfo, [], reading.parts, reading.info)
        } else if text.contains("-----BEGIN ") {
            try self.init(pem: text, kind, command)
        } else if kind == nil || kind == .conversation, let messages = Self.messages(text) {
            let reader = ExchangeReader(messages)
            self.init(
                form: "lines", kind: .conversation, [], reader.parts, reader.info.flatMap(Reading.info))
        } else if kind != .conversation, let block = Self.block(text) {
            try self.init(bytes: block.bytes, form: block.form, kind, command)
        } else {
            let log = LogReader(text)
            if let only = log.fragments.first, log.fragments.count == 1, kind != .conversation,
                kind != nil || only.side == nil
            {
                try self.init(bytes: only.bytes, form: "a dump", kind, command)
            } else if kind == nil || kind == .conversation, !log.fragments.isEmpty {
                let reader = ExchangeReader(log.fragments)
                self.init(
                    form: log.program.map { "a log of \($0)" } ?? "a log", kind: .conversation, [], reader.parts,
                    reader.info.flatMap(Reading.info))
            } else {
                let whole = try ByteText(text)
                try self.init(bytes: whole.bytes, form: whole.form, kind, command)
            }
        }
    }

    private init(
        form: String, kind: DecodedKind, _ alternatives: [DecodedKind], _ parts: [DecodedPart], _ info: CBOR.Value?
    ) {
        self.form = form
        self.kind = kind
        self.alternatives = alternatives
        self.info = info
        // The bytes are the user's own: only what a specification calls secret is masked.
        self.parts = parts.map { part in
            var part = part
            part.fields = part.fields.map(\.withoutDoubt)
            return part
        }
    }

    // MARK: Bytes

    private init(
        bytes: [UInt8], form: String, _ kind: DecodedKind?, _ command: CTAPCommand?
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
        guard let best = readings.first else {
            throw UndecodableInput(
                "\(form): they are none of the kinds that have a structure, such as a message, a key or a certificate; "
                    + Self.possible(readings))
        }
        let others = readings.dropFirst().filter { $0.fits && best.fits }.map(\.kind)
        self.init(form: form, kind: best.kind, others, best.parts, best.info)
    }

    private static func possible(_ readings: [Reading]) -> String {
        readings.isEmpty
            ? "such bytes may be a hash, a challenge, a credential ID or a part of a message"
            : "it can be read as " + readings.map { "\($0.kind.rawValue)" }.joined(separator: ", ")
    }

    // MARK: Texts

    /// The bytes of a text that is one block: a single line, or lines that a program wrapped; nil for a dump and a log.
    private static func block(_ text: String) -> ByteText? {
        let lines = text.split(whereSeparator: \.isNewline).map(\.trimmed).filter { !$0.isEmpty }
        guard lines.allSatisfy({ DumpRow($0)?.offset == nil }) else { return nil }
        return try? ByteText(text)
    }

    /// The messages of a text in which each line is one; nil for any other text.
    private static func messages(_ text: String) -> [Fragment]? {
        let lines = text.split(whereSeparator: \.isNewline).map(\.trimmed).filter { !$0.isEmpty }
        guard lines.count > 1 else { return nil }
        let kinds: Set<DecodedKind> = [.request, .response, .command, .answer, .reports, .getInfo]
        var fragments: [Fragment] = []
        for line in lines {
            guard let text = try? ByteText(String(line)),
                Reading.isReport(text.bytes)
                    || Reading.all(of: text.bytes).first.map({ $0.fits && kinds.contains($0.kind) }) ?? false
            else { return nil }
            fragments.append(Fragment(bytes: text.bytes))
        }
        return fragments
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
        let parts = JSONReader.parts(value)
        guard !parts.isEmpty, kind == nil || kind == .credential else {
            if case .array(let items) = value, kind == nil || kind == .conversation {
                let fragments = items.compactMap(JSONReader.bytes).map { Fragment(bytes: $0.bytes) }
                if fragments.count == items.count, !fragments.isEmpty {
                    let reader = ExchangeReader(fragments)
                    self.init(form: "JSON", kind: .conversation, [], reader.parts, reader.info.flatMap(Reading.info))
                    return
                }
            }
            let known = "attestationObject, authenticatorData, clientDataJSON, publicKey or signature"
            throw UndecodableInput(
                parts.isEmpty
                    ? "the JSON has no member of a credential; give one with \(known)"
                    : "the JSON is a credential; decode it as credential, or give one of its members")
        }
        self.init(form: "JSON", kind: .credential, [], parts, nil)
    }

    private init(pem text: String, _ kind: DecodedKind?, _ command: CTAPCommand?) throws(UndecodableInput) {
        let documents: [PEMDocument]
        do {
            documents = try PEMDocument.parseMultiple(pemString: text)
        } catch {
            throw UndecodableInput("the input is not PEM: \(DERProblem.words(error))")
        }
        var parts: [DecodedPart] = []
        var first: Reading?
        for document in documents {
            guard let reading = Reading.all(of: document.derBytes).first else {
                throw UndecodableInput(
                    "a PEM of \(document.discriminator) is not decoded; give certificates or public keys")
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
