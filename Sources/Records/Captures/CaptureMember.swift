internal import Documents
internal import WebAuthn
internal import Wording

/// A value in a captured file, with its path for errors; a missing one reads as nil.
struct CaptureMember {
    let value: JSONValue?
    /// The path from the root of the file, such as `options.challenge`.
    let path: String

    subscript(_ name: String) -> CaptureMember {
        CaptureMember(value: value?[name], path: path.isEmpty ? name : "\(path).\(name)")
    }

    /// Refuses members that have no meaning, as misspelt ones have none.
    func requireKnown(_ names: [String]) throws(CaptureError) {
        guard let members = value?.object else {
            guard isAbsent else { throw wrong("is not an object") }
            return
        }
        for name in members.keys.sorted() where !names.contains(name) {
            throw CaptureError("`\(self[name].path)` is unknown\(NearestNames.question(name, among: names))")
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

    func bytes() throws(CaptureError) -> [UInt8]? {
        guard let text = try text() else { return nil }
        guard let bytes = Base64URL.decode(text) else {
            throw wrong("is not base64url; replace + by - and / by _, and leave out =")
        }
        return bytes
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
        return items.enumerated().map { CaptureMember(value: $1, path: "\(path)[\($0)]") }
    }

    var isAbsent: Bool { value == nil || value == .null }

    func wrong(_ words: String) -> CaptureError { CaptureError("`\(path)` \(words)") }
}
