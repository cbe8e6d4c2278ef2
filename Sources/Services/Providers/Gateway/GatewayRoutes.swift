internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

/// The gateway's endpoints under `/gateway/v1`.
struct GatewayRoutes: Sendable {
    let gateway: Gateway

    private static let root = "/gateway/v1"

    /// The names of the endpoints in the journal.
    enum Endpoint: String, CaseIterable {
        case login, token, recover, user, logout, revoke, home, people, activities
        case personalData = "personal-data"
        case expenseClaims = "expense-claims"
        case policy, identities, email
        case stepUp = "step-up"
        case passkeySession = "passkey-session"
    }

    func add(to routes: inout RouteTable, through door: ServiceDoor) {
        func handler(_ endpoint: Endpoint, _ handle: @escaping RouteTable.Handler) -> RouteTable.Handler {
            door.gatewayHandler(endpoint, handle)
        }
        for provider in OpenIDProviderName.allCases {
            routes.add(
                .post, Self.root + "/login/\(provider.rawValue)",
                handler(.login) { request, _ in
                    try SnakeCase.reply(
                        try await gateway.login(
                            provider, try await JSONBody.read(of: request), installation: request.installation))
                })
        }
        routes.add(
            .post, Self.root + "/login/cognito",
            handler(.login) { request, _ in
                try SnakeCase.reply(
                    try await gateway.login(try await JSONBody.read(of: request), installation: request.installation))
            })
        routes.add(.post, Self.root + "/token", handler(.token, token))
        routes.add(
            .get, Self.root + "/user",
            handler(.user) { request, _ in
                let user = try await gateway.current(try await gateway.caller(of: request).user)
                return try SnakeCase.reply(try await gateway.answer(user))
            })
        routes.add(
            .post, Self.root + "/logout",
            handler(.logout) { request, _ in
                let caller = try await gateway.caller(of: request)
                let scope = try FormFields(queryOf: request)["scope"] ?? Gateway.LogoutScope.global.rawValue
                guard let scope = Gateway.LogoutScope(rawValue: scope) else { throw APIError.logoutScopeInvalid }
                try await gateway.logout(caller, scope)
                return Reply.noContent()
            })
        routes.add(
            .post, Self.root + "/revoke",
            handler(.revoke) { request, _ in
                let body: RefreshRequest = try await JSONBody.read(of: request)
                try await gateway.revoke(body.refreshToken)
                return Reply.noContent()
            })
        for provider in OpenIDProviderName.allCases {
            routes.add(
                .post, Self.root + "/identities/\(provider.rawValue)",
                handler(.identities) { request, _ in
                    let caller = try await gateway.caller(of: request)
                    return try SnakeCase.reply(
                        try await gateway.link(provider, try await JSONBody.read(of: request), to: caller))
                })
        }
        routes.add(
            .post, Self.root + "/step-up",
            handler(.stepUp) { request, context in
                let caller = try await gateway.caller(of: request)
                try await gateway.stepUp(try await JSONBody.read(of: request), by: caller, address: context.address)
                return Reply.noContent()
            })
        routes.add(
            .get, Self.root + "/policy", handler(.policy) { _, _ in try SnakeCase.reply(gateway.policy(in: nil)) })
        addData(to: &routes, handler)
    }

    private func addData(
        to routes: inout RouteTable,
        _ handler: (Endpoint, @escaping RouteTable.Handler) -> RouteTable.Handler
    ) {
        routes.add(
            .get, Self.root + "/home",
            handler(.home) { request, _ in
                try SnakeCase.reply(try await gateway.home(of: try await gateway.caller(of: request)))
            })
        routes.add(
            .get, Self.root + "/people",
            handler(.people) { request, _ in
                let people = try await gateway.people(of: try await gateway.caller(of: request))
                return try SnakeCase.reply(["people": people])
            })
        routes.add(
            .get, Self.root + "/personal-data",
            handler(.personalData) { request, _ in
                try SnakeCase.reply(try await gateway.personalData(of: try await gateway.caller(of: request)))
            })
        for (endpoint, kind) in [
            (Endpoint.activities, Submission.Kind.activity), (.expenseClaims, .expenseClaim),
        ] {
            routes.add(
                .post, Self.root + "/" + endpoint.rawValue,
                handler(endpoint) { request, _ in try await submit(request, kind) })
            routes.add(
                .get, Self.root + "/" + endpoint.rawValue,
                handler(endpoint) { request, _ in
                    let submissions = try await gateway.submissions(kind, of: try await gateway.caller(of: request))
                    return try SnakeCase.reply([endpoint.rawValue.replacing("-", with: "_"): submissions])
                })
        }
        routes.add(
            .post, Self.root + "/passkey-session",
            handler(.passkeySession) { request, _ in
                try Reply.json(["token": try await gateway.passkeySession(of: try await gateway.caller(of: request))])
            })
    }

    private func token(_ request: Request, _ context: RouteTable.Context) async throws -> Response {
        switch try FormFields(queryOf: request)["grant_type"] {
        case "password":
            let body: PasswordLoginRequest = try await JSONBody.read(of: request)
            return try SnakeCase.reply(
                try await gateway.login(body, address: context.address, installation: request.installation))
        case "refresh_token":
            let body: RefreshRequest = try await JSONBody.read(of: request)
            return try SnakeCase.reply(try await gateway.refresh(body.refreshToken))
        default: throw APIError.grantTypeUnsupported
        }
    }

    private func submit(_ request: Request, _ kind: Submission.Kind) async throws -> Response {
        let caller = try await gateway.caller(of: request)
        let key = HTTPField.Name("Idempotency-Key").flatMap { request.headers[$0] } ?? ""
        guard (1...128).contains(key.count) else { throw APIError.idempotencyKeyMissing }
        let content: SubmissionContent = try await JSONBody.read(of: request)
        let (submission, isNew) = try await gateway.submit(content, kind, key: key, by: caller)
        var response = try SnakeCase.reply(submission, status: isNew ? .created : .ok)
        if !isNew, let name = HTTPField.Name("Idempotency-Replayed") { response.headers[name] = "true" }
        return response
    }
}

extension Gateway {
    func caller(of request: Request) async throws -> GatewayCaller {
        guard case .bearer(let token) = request.credentials else { throw APIError.noAuthorization }
        return try await caller(token)
    }
}

extension Request {
    /// The app's installation, as the app names it; nil outside 8 to 128 characters.
    var installation: String? {
        HTTPField.Name("App-Installation").flatMap { headers[$0] }.flatMap { (8...128).contains($0.count) ? $0 : nil }
    }
}
