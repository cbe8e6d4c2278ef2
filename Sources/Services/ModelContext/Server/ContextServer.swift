internal import Documents
internal import Wording

/// A server of the Model Context Protocol: what it offers, and its answer to each method.
///
/// It has no sockets: a ``ContextSession`` takes a client's messages from a carrier, and gives it the server's.
package struct ContextServer: Sendable {
    package let name: String
    package let title: String
    package let version: String
    /// A sentence or two about the server for a client's model.
    package let instructions: String
    package let tools: [ContextTool]
    package let resources: ContextResources
    package let prompts: [ContextPrompt]

    package init(
        name: String, title: String, version: String, instructions: String, tools: [ContextTool],
        resources: ContextResources = ContextResources(), prompts: [ContextPrompt] = []
    ) {
        (self.name, self.title, self.version, self.instructions) = (name, title, version, instructions)
        (self.tools, self.resources, self.prompts) = (tools, resources, prompts)
    }

    /// A request whose revision is known.
    struct Request: Sendable {
        let method: String
        let params: [String: JSONValue]
        let revision: ContextRevision
        let call: ToolCall
    }

    /// The server's name and version.
    var identity: JSONValue { ["name": .text(name), "title": .text(title), "version": .text(version)] }

    var capabilities: JSONValue { ["tools": [:], "resources": [:], "prompts": [:]] }

    /// The result of a method, in the form of the request's revision.
    func result(of request: Request) async throws(ContextError) -> [String: JSONValue] {
        let (method, result) = try await plainResult(of: request)
        guard request.revision == .current else { return result }
        var members = result
        members["resultType"] = "complete"
        members["_meta"] = ["io.modelcontextprotocol/serverInfo": identity]
        if method.isKeepable {
            // A list is that of the program; a text may be a profile or a report, which changes.
            members["ttlMs"] = method == .readResource ? 0 : 300_000
            members["cacheScope"] = "private"
        }
        return members
    }

    private enum Method: String {
        case discover = "server/discover"
        case ping
        case listTools = "tools/list"
        case callTool = "tools/call"
        case listResources = "resources/list"
        case listTemplates = "resources/templates/list"
        case readResource = "resources/read"
        case listPrompts = "prompts/list"
        case getPrompt = "prompts/get"

        /// Whether a client may keep the result for a while.
        var isKeepable: Bool {
            switch self {
            case .ping, .callTool, .getPrompt: false
            case .discover, .listTools, .listResources, .listTemplates, .readResource, .listPrompts: true
            }
        }

        /// Whether the result is a list, which a client may ask for in parts.
        var isList: Bool {
            switch self {
            case .listTools, .listResources, .listTemplates, .listPrompts: true
            case .discover, .ping, .callTool, .readResource, .getPrompt: false
            }
        }
    }

    private func plainResult(of request: Request) async throws(ContextError) -> (Method, [String: JSONValue]) {
        guard let method = Method(rawValue: request.method),
            method != .discover || request.revision == .current
        else { throw ContextError(.unknownMethod, "The method \(request.method) does not exist.") }
        let params = request.params
        if method.isList, let cursor = params["cursor"], cursor != .null {
            throw .invalid("cursor", "is not one of this server's: each list has one part")
        }
        switch method {
        case .ping: return (method, [:])
        case .discover:
            return (
                method,
                [
                    "supportedVersions": .array(ContextRevision.all.map { .text($0.rawValue) }),
                    "capabilities": capabilities, "instructions": .text(instructions),
                ]
            )
        case .listTools: return (method, ["tools": .array(tools.map(\.json))])
        case .callTool: return (method, try await call(params, request.call))
        case .listResources: return (method, ["resources": .array(try listed().map(\.json))])
        case .listTemplates: return (method, ["resourceTemplates": .array(resources.templates.map(\.json))])
        case .readResource: return (method, try await read(params, request.revision))
        case .listPrompts: return (method, ["prompts": .array(prompts.map(\.json))])
        case .getPrompt: return (method, try prompt(params))
        }
    }

    // MARK: Tools

    private func call(_ params: [String: JSONValue], _ call: ToolCall) async throws(ContextError) -> [String: JSONValue]
    {
        let name = try Self.text("name", params)
        guard let tool = tools.first(where: { $0.name == name }) else {
            throw ContextError(
                .invalidParameters,
                Wording.sentence("No tool is named “\(name)”" + NearestNames.question(name, among: tools.map(\.name))))
        }
        let arguments = params["arguments"] ?? [:]
        guard arguments.object != nil else { throw .invalid("arguments", "must be an object, not \(arguments.noun)") }
        do {
            // The model sees this error and can repair its call, unlike an error of the protocol.
            if tool.isInputExact {
                do { try tool.input.validate(arguments) } catch { throw ToolFailure.invalid(error) }
            }
            return Self.content(try await tool.perform(arguments, call).text, isError: false)
        } catch let failure as ToolFailure {
            return Self.content(of: failure)
        } catch is CancellationError {
            throw ContextError(.failed, "The request was cancelled.")
        } catch {
            return Self.content(of: ToolFailure("failed", Wording.sentence("\(error)")))
        }
    }

    private static func content(of failure: ToolFailure) -> [String: JSONValue] {
        var result = content("\(failure.code): \(failure.message)", isError: true)
        result["structuredContent"] = ["error": ["code": .text(failure.code), "message": .text(failure.message)]]
        return result
    }

    private static func content(_ text: String, isError: Bool) -> [String: JSONValue] {
        ["content": [["type": "text", "text": .text(text)]], "isError": .bool(isError)]
    }

    // MARK: Resources

    private func listed() throws(ContextError) -> [ContextResource] {
        do { return try resources.list() } catch { throw ContextError(.failed, Wording.sentence("\(error)")) }
    }

    private func read(
        _ params: [String: JSONValue], _ revision: ContextRevision
    ) async throws(ContextError) -> [String: JSONValue] {
        let uri = try Self.text("uri", params)
        let found: (mediaType: String, text: String)?
        do {
            found = try await resources.read(uri)
        } catch {
            throw ContextError(.failed, Wording.sentence("\(uri): \(error)"))
        }
        guard let found else {
            let kind: ContextError.Kind = revision == .current ? .invalidParameters : .unknownResource
            throw ContextError(kind, "No resource has the address “\(uri)”; resources/list has the addresses.")
        }
        return ["contents": [["uri": .text(uri), "mimeType": .text(found.mediaType), "text": .text(found.text)]]]
    }

    // MARK: Prompts

    private func prompt(_ params: [String: JSONValue]) throws(ContextError) -> [String: JSONValue] {
        let name = try Self.text("name", params)
        guard let prompt = prompts.first(where: { $0.name == name }) else {
            throw ContextError(
                .invalidParameters,
                Wording.sentence(
                    "No prompt is named “\(name)”" + NearestNames.question(name, among: prompts.map(\.name))))
        }
        let values = params["arguments"] ?? [:]
        guard let values = values.object else { throw .invalid("arguments", "must be an object, not \(values.noun)") }
        let text = try prompt.filled(values)
        return [
            "description": .text(prompt.summary),
            "messages": [["role": "user", "content": ["type": "text", "text": .text(text)]]],
        ]
    }

    private static func text(_ member: String, _ params: [String: JSONValue]) throws(ContextError) -> String {
        guard let value = params[member] else { throw .invalid(member, "is missing") }
        guard let text = value.text else { throw .invalid(member, "must be text, not \(value.noun)") }
        return text
    }
}
