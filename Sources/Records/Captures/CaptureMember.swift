internal import Documents
internal import WebAuthn
internal import Wording

/// A value in a captured file, with its path for errors; a missing one reads as nil.
struct CaptureMember {
    let value: JSONValue?
    /// The path from the root of the file, such as `options.challenge`.
    let path: String
    let notes: CaptureNotes
    /// The names and indices on the way from the root; empty for the root, and for a value that no file has.
    var steps: [String] = []

    subscript(_ name: String) -> CaptureMember {
        CaptureMember(
            value: value?[name], path: path.isEmpty ? name : "\(path).\(name)", notes: notes, steps: steps + [name])
    }

    /// Refuses members that have no meaning, as misspelt ones have none.
    ///
    /// - Parameter others: the names that other libraries give to members, with the names here.
    func requireKnown(_ names: [String], others: [String: String] = [:]) throws(CaptureError) {
        guard let members = value?.object else {
            guard isAbsent else { throw wrong("is not an object") }
            return
        }
        for name in members.keys.sorted() where !names.contains(name) {
            if let own = others[name] { throw self[name].wrong("is unknown; its name here is `\(own)`") }
            throw self[name].wrong("is unknown\(NearestNames.question(name, among: names))")
        }
    }

    func text() throws(CaptureError) -> String? {
        guard !isAbsent else { return nil }
        guard let text = value?.text else { throw wrong("is not a text") }
        return text
    }

    func flag() throws(CaptureError) -> Bool? {
        guard !isAbsent else { return nil }
        guard let flag = value?.bool else { throw wrong("is not true or false") }
        return flag
    }

    func number(_ range: ClosedRange<Int>) throws(CaptureError) -> Int? {
        guard !isAbsent else { return nil }
        guard let number = value?.integer, range.contains(number) else {
            throw wrong("is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Bytes of options, whose texts a browser reads as base64url only (WebAuthn L3 §5.1.9); `parseCreationOptionsFromJSON`
    /// fails with an EncodingError for another text.
    func bytes() throws(CaptureError) -> [UInt8]? {
        guard let text = value?.text else { return try pasted()?.bytes }
        guard let bytes = Base64URL.decode(text) else { throw PastedBytes.isCutOff(text) ? cutOff : notBase64URL(text) }
        return bytes
    }

    /// Bytes that a program logged, in any form with one reading; another form than base64url is noted.
    func pasted() throws(CaptureError) -> PastedBytes? {
        guard let value, !isAbsent else { return nil }
        do {
            let bytes = try PastedBytes(value)
            if let form = bytes.form { notes.add(form, path) }
            return bytes
        } catch {
            throw explained(error, value)
        }
    }

    private func explained(_ problem: PastedBytes.Problem, _ value: JSONValue) -> CaptureError {
        let remedy = "log credential.toJSON(), or Array.from(new Uint8Array(…)) of a buffer"
        switch (problem, value) {
        case (.cutOff, _): return cutOff
        case (.oddDigits(let count), _):
            return wrong("has \(count) hexadecimal digits, an odd number; add the missing digit")
        case (.missingIndex(let index), _): return wrong("has no bytes: its index \(index) is missing; \(remedy)")
        case (.notByte(let index, let text), _):
            return wrong("has no bytes: its item \(index), \(text), is not a byte; \(remedy)")
        case (.text, .text(let text)) where !text.hasPrefix("[object"): return notBase64URL(text)
        case (_, .object(let members)) where members["challenge"] != nil:
            return wrong("is the decoded object, and signatures cover the bytes; give these in base64url")
        case (_, .text), (_, .object), (_, .array): return wrong("has no bytes; \(remedy)")
        case (_, .null), (_, .bool), (_, .integer), (_, .number): return wrong("is not a text")
        }
    }

    /// Whether the member's bytes have a form.
    func isRead(as form: PastedBytes.Form) -> Bool {
        value.flatMap { try? PastedBytes($0) }?.form == form
    }

    /// Notes a text that is too short to tell its form, beside members in hexadecimal.
    func noteDoubt() {
        guard let text = value?.text, PastedBytes.mayBeDigits(text), !isRead(as: .hex),
            let count = (try? PastedBytes(text: text))?.bytes.count
        else { return }
        notes.add(
            "`\(path)` is read as base64url, of \(count) bytes, although other members are hexadecimal; if its digits are "
                + "hexadecimal, too, write 0x before them")
    }

    private var cutOff: CaptureError {
        wrong(
            "is not whole, because the log cut bytes off; log all of them: credential.toJSON() in a page, "
                + "buffer.toString('base64url') in Node")
    }

    private func notBase64URL(_ text: String) -> CaptureError {
        let isBase64 = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+/-_=".contains($0)) }
        return wrong(
            "is not base64url; "
                + (isBase64 ? "replace + by - and / by _, and leave out =" : "give its bytes in base64url"))
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>() throws(CaptureError) -> Choice? {
        guard let text = try text() else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw wrong("is not one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }

    /// The items of a list; none for a missing one.
    func items() throws(CaptureError) -> [CaptureMember] {
        guard !isAbsent else { return [] }
        guard let items = value?.array else { throw wrong("is not a list") }
        return items.enumerated().map {
            CaptureMember(value: $1, path: "\(path)[\($0)]", notes: notes, steps: steps + [String($0)])
        }
    }

    var isAbsent: Bool { value == nil || value == .null }

    func wrong(_ words: String) -> CaptureError {
        CaptureError("`\(path)` \(words)\(notes.place(of: steps).map { " (\($0))" } ?? "")")
    }
}
