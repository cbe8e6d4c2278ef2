internal import Hummingbird
internal import LoopbackHTTP

/// Accounts, passwords and sessions under `/api/v1/auth`.
struct AccountRoutes: Sendable {
    let service: AuthService

    func add(to routes: inout RouteTable) {
        routes.add(.post, RelyingPartyServer.api + "/accounts") { request, _ in
            try signedIn(
                try await service.createAccount(try await JSONBody.read(of: request), token: request.sessionToken),
                to: request, status: .created)
        }
        routes.add(.post, RelyingPartyServer.api + "/password/sign-in") { request, context in
            try signedIn(
                try await service.signIn(
                    try await JSONBody.read(of: request), token: request.sessionToken, address: context.address),
                to: request)
        }
        routes.add(.put, RelyingPartyServer.api + "/password") { request, context in
            try await service.setPassword(
                try await JSONBody.read(of: request), token: request.sessionToken, address: context.address)
            return Reply.noContent()
        }
        routes.add(.delete, RelyingPartyServer.api + "/password") { request, _ in
            try await service.deletePassword(token: request.sessionToken)
            return Reply.noContent()
        }
        routes.add(.get, RelyingPartyServer.api + "/session") { request, _ in
            try Reply.json(try await service.session(request.sessionToken))
        }
        routes.add(.delete, RelyingPartyServer.api + "/session") { request, _ in
            try await service.signOut(request.sessionToken)
            var response = Reply.noContent()
            response.setCookie(SessionCookie.carrying("", lifetime: .zero, to: request, service.origins))
            return response
        }
    }

    func signedIn(_ result: SignedIn, to request: Request, status: HTTPResponse.Status = .ok) throws -> Response {
        var response = try Reply.json(result, status: status)
        response.setCookie(
            SessionCookie.carrying(
                result.token, lifetime: service.configuration.sessionLifetime, to: request, service.origins))
        return response
    }
}
