internal import Documents
internal import Foundation

/// A message of the relay in a document.
struct PageMessage: Decodable, Sendable {
    enum Kind: String, Decodable, Sendable {
        case create, get, capabilities, signal, cancel
    }

    /// The number of the request within its document.
    let id: Int
    let kind: Kind
    /// The mediation of a ceremony.
    let mediation: String?
    /// The name of a signal method.
    let signal: String?
    /// The options of a ceremony or a signal.
    let options: JSONValue?
    /// The origins of the documents around this one, the nearest first.
    let ancestors: [String]?

    init(parsing text: String) throws {
        self = try JSONDecoder().decode(PageMessage.self, from: Data(text.utf8))
    }

    /// Whether no prompt asks the user: a get() waits for a suggestion in a field, a create() follows a sign-in with a
    /// password.
    var isConditional: Bool { mediation == "conditional" }

    /// The origin of the top-level page, for a document in a cross-origin frame.
    func topOrigin(above origin: String) -> String? {
        guard let ancestors, ancestors.contains(where: { $0 != origin }) else { return nil }
        return ancestors.last
    }
}

/// An answer to a page's request.
enum PageAnswer: Sendable {
    case value(JSONValue)
    case error(PageError)

    func message(to id: Int) -> JSONValue {
        switch self {
        case .value(let value): ["id": .integer(id), "value": value]
        case .error(let error):
            ["id": .integer(id), "error": ["name": .text(error.name), "message": .text(error.message)]]
        }
    }
}

/// An error as a page gets it: its name, and words that say no more than the name.
struct PageError: Error, Hashable, Sendable {
    let name: String
    let message: String

    init(named name: String) {
        self.name = name
        message =
            name == Self.notAllowed.name
            ? "The operation either timed out or was not allowed." : "The operation failed."
    }

    private init(_ name: String, _ message: String) { (self.name, self.message) = (name, message) }

    static let notAllowed = PageError(
        "NotAllowedError", "The operation either timed out or was not allowed.")
    static let notOffered = PageError("NotSupportedError", "This kind of request is not supported.")
}
