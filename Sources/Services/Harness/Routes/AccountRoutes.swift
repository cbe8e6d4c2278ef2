internal import Hummingbird
internal import LoopbackHTTP

/// Accounts, passwords and sessions under `/api/v1/auth`.
struct AccountRoutes: Sendable {
    let service: AuthService

    func add(to routes: inout RouteTable) {
        routes.add(.post, "/api/v1/auth/accounts") { request, _ in
            let body = try JSONBody.decode(AccountRequest.self, from: try await JSONBody.bytes(of: request))
            return try signedIn(
                try await service.createAccount(body, token: request.sessionToken), status: .created)
        }
        routes.add(.post, "/api/v1/auth/password/sign-in") { request, _ in
            let body = try JSONBody.decode(PasswordSignInRequest.self, from: try await JSONBody.bytes(of: request))
            return try signedIn(try await service.signIn(body, token: request.sessionToken))
        }
        routes.add(.put, "/api/v1/auth/password") { request, _ in
            let body = try JSONBody.decode(PasswordChangeRequest.self, from: try await JSONBody.bytes(of: request))
            try await service.setPassword(body, token: request.sessionToken)
            return Reply.noContent()
        }
        routes.add(.delete, "/api/v1/auth/password") { request, _ in
            try await service.deletePassword(token: request.sessionToken)
            return Reply.noContent()
        }
        routes.add(.get, "/api/v1/auth/session") { request, _ in
            try Reply.json(try await service.session(request.sessionToken))
        }
        routes.add(.delete, "/api/v1/auth/session") { request, _ in
            try await service.signOut(request.sessionToken)
            var response = Reply.noContent()
            response.setCookie(SessionCookie.cleared())
            return response
        }
    }

    /// A sign-in's answer, with its cookie.
    func signedIn(_ result: SignedIn, status: HTTPResponse.Status = .ok) throws -> Response {
        var response = try Reply.json(result, status: status)
        response.setCookie(
            SessionCookie.carrying(result.token, lifetime: service.configuration.sessionLifetime))
        return response
    }
}
