internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import WebAuthn

/// Ceremonies and passkeys under `/api/v1/auth/passkeys` (A8–A11, A15, A16).
struct PasskeyRoutes: Sendable {
    let service: AuthService
    let accounts: AccountRoutes

    private static let root = RelyingPartyServer.api + "/passkeys"

    func add(to routes: inout RouteTable) {
        routes.add(.post, Self.root + "/register/begin") { request, _ in
            try Reply.json(
                try await service.beginRegistration(
                    try await JSONBody.readOptional(of: request), token: request.sessionToken))
        }
        routes.add(.post, Self.root + "/register/complete") { request, _ in
            try await completeRegistration(request)
        }
        routes.add(.post, Self.root + "/authenticate/begin") { request, _ in
            try await beginAuthentication(request)
        }
        routes.add(.post, Self.root + "/authenticate/complete") { request, _ in
            try await completeAuthentication(request)
        }
        routes.add(.get, Self.root) { request, _ in
            try Reply.json(["passkeys": try await service.passkeys(token: request.sessionToken)])
        }
        routes.add(.patch, Self.root + "/:credentialId") { request, context in
            let name: DeviceNameMember = try await JSONBody.read(of: request)
            guard let deviceName = name.deviceName else { throw APIError.jsonInvalidMember("deviceName", "is missing") }
            return try Reply.json(
                try await service.renamePasskey(
                    try credentialID(context), to: try PasskeyDeviceName.validated(deviceName),
                    token: request.sessionToken))
        }
        routes.add(.delete, Self.root + "/:credentialId") { request, context in
            try await service.deletePasskey(try credentialID(context), token: request.sessionToken)
            return Reply.noContent()
        }
    }

    private func credentialID(_ context: some RequestContext) throws -> [UInt8] {
        guard let id = Base64URL.decode(try context.parameters.require("credentialId")) else {
            throw APIError.base64URLMalformed("credentialId")
        }
        return id
    }

    private func completeRegistration(_ request: Request) async throws -> Response {
        let bytes = try await JSONBody.bytes(of: request)
        let body = try JSONBody.ceremony(RegistrationResponse.self, insteadOf: AuthenticationResponse.self, from: bytes)
        let given = try JSONBody.decode(DeviceNameMember.self, from: bytes).deviceName
        let deviceName =
            try given.map(PasskeyDeviceName.validated)
            ?? PasskeyDeviceName.guess(userAgent: request.headers[.userAgent])
        return try Reply.json(
            try await service.completeRegistration(body, deviceName: deviceName, token: request.sessionToken),
            status: .created)
    }

    private func beginAuthentication(_ request: Request) async throws -> Response {
        let begun = try await service.beginAuthentication(
            try await JSONBody.readOptional(of: request), token: request.sessionToken)
        var response = try Reply.json(begun.options)
        if let token = begun.newToken {
            response.setCookie(
                SessionCookie.carrying(
                    token.text, lifetime: service.configuration.challengeLifetime, to: request, service.origins))
        }
        return response
    }

    private func completeAuthentication(_ request: Request) async throws -> Response {
        let body = try JSONBody.ceremony(
            AuthenticationResponse.self, insteadOf: RegistrationResponse.self,
            from: try await JSONBody.bytes(of: request))
        switch try await service.completeAuthentication(body, token: request.sessionToken) {
        case .signedIn(let result): return try accounts.signedIn(result, to: request)
        case .reauthenticated(let session): return try Reply.json(["session": session])
        }
    }

    /// The member of a registration's body besides the response, and of a renaming's.
    private struct DeviceNameMember: Decodable {
        let deviceName: String?
    }
}
