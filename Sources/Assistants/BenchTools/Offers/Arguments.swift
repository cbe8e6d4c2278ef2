internal import ControlAPI
internal import Documents
internal import LoopbackHTTP
internal import ModelContext
internal import Wording

/// The arguments of a call, which the tool's schema has checked.
struct Arguments {
    let value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    subscript(_ name: String) -> JSONValue? { value[name] }

    func text(_ name: String) -> String? { value[name]?.text }
    func integer(_ name: String) -> Int? { value[name]?.integer }
    func flag(_ name: String) -> Bool { value[name]?.bool ?? false }
    func texts(_ name: String) -> [String] { value[name]?.array?.compactMap(\.text) ?? [] }
}

extension ToolFailure {
    /// The failure of a part of the bench, with its sentence.
    init(_ code: String, because error: any Error) { self.init(code, Wording.sentence("\(error)")) }
}

extension OfferedOperation {
    /// Performs the operation for a tool.
    ///
    /// - Throws: `ToolFailure` with the API's code and sentence.
    func answer(_ input: JSONValue) async throws -> JSONValue {
        do {
            return try await perform(input)
        } catch let error as APIError {
            throw ToolFailure(error.code.rawValue, error.message)
        }
    }
}

extension JSONValue {
    /// An object without these members.
    func without(_ names: String...) -> JSONValue {
        guard let object else { return self }
        return .object(object.filter { !names.contains($0.key) })
    }

    /// The platform errors of a cause as texts, such as `LAError -8 biometryLockout`.
    var withShortErrors: JSONValue {
        guard var object, let faces = object.removeValue(forKey: "faces")?.array else { return self }
        object["errors"] = .array(faces.compactMap { $0["text"] })
        return .object(object)
    }
}
