internal import Documents
internal import WebAuthn

/// Client data as a client writes it, with members that a case may change (WebAuthn L3 §5.8.1).
struct ForgedClientData: Sendable {
    /// A member's name, and the JSON text of its value.
    struct Member: Sendable {
        var name: String
        var json: String
    }

    var members: [Member]
    var write: @Sendable (String) -> [UInt8] = { Array($0.utf8) }

    init(_ ceremony: TestedCeremony, challenge: String, origin: String) {
        members = [
            Member(name: "type", json: Self.quoted(ceremony.clientDataType)),
            Member(name: "challenge", json: Self.quoted(challenge)),
            Member(name: "origin", json: Self.quoted(origin)), Member(name: "crossOrigin", json: "false"),
        ]
    }

    /// The JSON text of a member; nil removes it.
    subscript(_ name: String) -> String? {
        get { members.first { $0.name == name }?.json }
        set {
            guard let newValue else { return members.removeAll { $0.name == name } }
            if let index = members.firstIndex(where: { $0.name == name }) {
                members[index].json = newValue
            } else {
                members.append(Member(name: name, json: newValue))
            }
        }
    }

    func text(_ name: String) -> String { self[name].flatMap { try? JSONValue(parsing: Array($0.utf8)) }?.text ?? "" }

    mutating func set(_ name: String, _ text: String) { self[name] = Self.quoted(text) }

    var json: String { "{" + members.map { "\(Self.quoted($0.name)):\($0.json)" }.joined(separator: ",") + "}" }

    var encoded: [UInt8] { write(json) }

    static func quoted(_ text: String) -> String {
        (try? JSONValue.text(text).bytes()).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
