internal import Documents
internal import HTTPTypes
internal import LoopbackHTTP

/// The OpenAPI 3.1 document, generated from the operations that the router serves.
enum OpenAPIDocument {
    static func json(of operations: [Operation]) -> JSONValue {
        var components = Schema.Definitions(at: "#/components/schemas/")
        var paths: [String: [String: JSONValue]] = [:]
        for operation in operations {
            var item = paths[operation.path] ?? [:]
            let parameters = operation.pathParameters.map { parameter -> JSONValue in
                [
                    "name": .text(parameter.name), "in": "path", "required": true,
                    "description": .text(parameter.meaning), "schema": parameter.schema.json(&components),
                ]
            }
            if !parameters.isEmpty { item["parameters"] = .array(parameters) }
            item[operation.method.rawValue.lowercased()] = description(of: operation, &components)
            paths[operation.path] = item
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Touchstone control API", "version": "1",
                "description": "Controls simulated devices: acts on a device, acts of its user, and ceremonies.",
            ],
            "tags": .array(
                Operation.Tag.allCases.map { ["name": .text($0.rawValue), "description": .text($0.meaning)] }),
            "paths": .object(paths.mapValues(JSONValue.object)),
            "components": [
                "schemas": .object(components.schemas),
                "securitySchemes": [
                    "token": ["type": "http", "scheme": "bearer"],
                    "password": [
                        "type": "http", "scheme": "basic", "description": "Any user name, with the token as password.",
                    ],
                ],
            ],
        ]
    }

    private static func description(of operation: Operation, _ components: inout Schema.Definitions) -> JSONValue {
        var json: [String: JSONValue] = [
            "operationId": .text(operation.name), "summary": .text(operation.summary),
            "tags": [.text(operation.tag.rawValue)],
            "responses": responses(of: operation, &components),
            "security": operation.dialect == .webDriver ? [["token": []], ["password": []]] : [["token": []]],
        ]
        if !operation.parameters.isEmpty {
            json["parameters"] = .array(
                operation.parameters.map { parameter in
                    [
                        "name": .text(parameter.name), "in": parameter.isHeader ? "header" : "query",
                        "required": false, "description": .text(parameter.meaning),
                        "schema": parameter.schema.json(&components),
                    ]
                })
        }
        if let body = operation.body {
            json["requestBody"] = [
                "required": true, "content": ["application/json": ["schema": body.json(&components)]],
            ]
        }
        return .object(json)
    }

    private static func responses(of operation: Operation, _ components: inout Schema.Definitions) -> JSONValue {
        var answer: [String: JSONValue] = ["description": .text(operation.answer.meaning)]
        switch operation.answer.content {
        case .none: break
        case .json(let schema): answer["content"] = ["application/json": ["schema": schema.json(&components)]]
        case .events(let schema):
            answer["content"] = [
                "application/json": ["schema": schema.json(&components)],
                "text/event-stream": ["schema": ["type": "string"]],
            ]
        }
        var responses: [String: JSONValue] = [String(operation.answer.status.code): .object(answer)]
        let error = operation.dialect == .api ? Schema.apiError : .webDriverError
        for status in operation.allErrors {
            responses[String(status)] = [
                "description": .text(HTTPResponse.Status(code: status).reasonPhrase),
                "content": ["application/json": ["schema": error.json(&components)]],
            ]
        }
        return .object(responses)
    }
}

extension Operation {
    var allErrors: [Int] {
        // An unexpected query is an error, too.
        var all: Set<Int> = [400, 401, 403, 405, 421, 500]
        if !pathParameters.isEmpty { all.insert(404) }
        if body != nil { all.formUnion([413, 415]) }
        return all.union(errors).sorted()
    }
}

extension Schema {
    static let apiError = Schema.named(
        "Error",
        .object(
            .required(
                "error",
                .object(
                    .required("code", .string(), "A stable name, such as device.notFound."),
                    .required("message", .string(), "An explanation.")))))

    /// An error of WebDriver (WebDriver §6.6).
    static let webDriverError = Schema.named(
        "WebDriverError",
        .object(
            .required(
                "value",
                .object(
                    .required("error", .string(), "The error code."), .required("message", .string()),
                    .required("stacktrace", .string())))))
}
