internal import Crypto
internal import Foundation
internal import Hummingbird
internal import JWTKit
internal import LoopbackHTTP
internal import WebAuthn

extension OpenIDProvider {
    /// Exchanges a code for tokens (OpenID Connect Core §3.1.3).
    func token(_ request: Request) async throws -> Response {
        let form = try await FormFields.read(of: request)
        guard form["grant_type"] == "authorization_code" else {
            throw OAuthError(.unsupportedGrantType, "grant_type must be authorization_code")
        }
        guard form["client_id"] == app.clientID else { throw OAuthError(.invalidClient, "the client is unknown") }
        guard let code = form["code"], let redirectURI = form["redirect_uri"], let verifier = form["code_verifier"]
        else { throw OAuthError(.invalidRequest, "code, redirect_uri and code_verifier are required") }
        let (now, accessToken) = (now, newIdentifier())
        let lifetime = name.accessTokenLifetime
        let grant = try grants.withGrant(of: code) { grant throws(OAuthError) in
            guard var known = grant, let decidedAt = known.decidedAt else {
                throw OAuthError(.invalidGrant, "the code is unknown")
            }
            guard known.accessToken == nil else {
                // RFC 6749 §4.1.2: a second use of a code revokes its tokens.
                grant?.accessTokenExpiry = .zero
                throw OAuthError(.invalidGrant, "the code was already used")
            }
            guard now < decidedAt + OpenIDGrant.codeLifetime else {
                throw OAuthError(.invalidGrant, "the code has expired")
            }
            guard known.redirectURI == redirectURI else {
                throw OAuthError(.invalidGrant, "redirect_uri is not that of the authorization request")
            }
            let isProved =
                CodeVerifier.isVerifier(verifier) && CodeVerifier.challenge(of: verifier) == known.codeChallenge
            guard isProved else { throw OAuthError(.invalidGrant, "code_verifier does not match the code challenge") }
            (known.accessToken, known.accessTokenExpiry) = (accessToken, now + lifetime)
            grant = known
            return known
        }
        return try SnakeCase.reply(
            TokenAnswer(
                accessToken: accessToken, expiresIn: Int(lifetime.components.seconds),
                idToken: try await signed(idToken(grant, accessToken: accessToken)),
                scope: grant.scopes.joined(separator: " ")))
    }

    private struct TokenAnswer: Encodable {
        let accessToken: String
        let tokenType = "Bearer"
        let expiresIn: Int
        let idToken: String
        let scope: String
    }

    private func idToken(_ grant: OpenIDGrant, accessToken: String) -> IDToken {
        let now = Int(now.components.seconds)
        let isExpired = has(.expiredToken)
        let resident = grant.resident
        let hash = Array(SHA256.hash(data: Array(accessToken.utf8)).prefix(16))
        var token = IDToken(
            iss: has(.wrongIssuer) ? issuer + "-other" : issuer, sub: name.subject(of: resident),
            aud: has(.wrongAudience) ? "another-app" : app.clientID,
            exp: isExpired ? now - 3600 : now + 300,
            iat: isExpired ? now - 3900 : now, authTime: now, nonce: grant.nonce,
            atHash: Base64URL.encode(hash), sid: newIdentifier())
        if has(.wrongNonce) { token.nonce = newIdentifier() }
        if has(.noNonce) { token.nonce = nil }
        let statesNationalID = nationalIDPlace.isInIDToken
        let isGranted = grant.scopes.contains(OpenIDProviderName.nationalIDScope(of: name))
        let nationalID = statesNationalID && isGranted ? resident.nationalID : nil
        switch name {
        case .bankid:
            (token.azp, token.acr, token.amr, token.typ) = (app.clientID, "urn:bankid:bid;LOA=4", "BID", "ID")
            token.bankidAltsub = "9578-6000-4-\(resident.nationalID.suffix(6))"
            token.nninAltsub = nationalID
            if grant.scopes.contains("profile") {
                (token.name, token.birthdate) = (resident.name, resident.birthdate)
                (token.givenName, token.familyName) = (resident.givenName, resident.familyName)
            }
        case .vipps: token.nin = nationalID
        }
        return token
    }

    func userInfo(_ request: Request) throws -> Response {
        guard case .bearer(let token) = request.credentials, let grant = grants.grant(ofAccessToken: token, at: now)
        else { throw OAuthError(.invalidToken, "the access token is unknown or has expired") }
        let (resident, scopes) = (grant.resident, grant.scopes)
        var info = UserInfo(
            sub: has(.otherSubject) ? newIdentifier() : name.subject(of: resident), sid: newIdentifier())
        if scopes.contains("name") || scopes.contains("profile") {
            (info.name, info.givenName, info.familyName) = (resident.name, resident.givenName, resident.familyName)
        }
        if scopes.contains("birthDate") || scopes.contains("profile") { info.birthdate = resident.birthdate }
        if scopes.contains("phoneNumber") { info.phoneNumber = resident.phoneNumber }
        if scopes.contains("email") { (info.email, info.emailVerified) = (resident.email, true) }
        if scopes.contains("address") {
            info.address = UserInfo.Address(
                streetAddress: resident.streetAddress, postalCode: resident.postalCode, region: resident.town,
                country: "NO", addressType: "home")
        }
        let statesNationalID = nationalIDPlace.isInUserInfo
        if statesNationalID, scopes.contains(OpenIDProviderName.nationalIDScope(of: name)) {
            switch name {
            case .bankid: info.nninAltsub = resident.nationalID
            case .vipps: info.nin = resident.nationalID
            }
        }
        return try SnakeCase.reply(info)
    }
}

// MARK: keys

extension OpenIDProvider {
    private var currentKey: SigningKey { get throws { try .named("\(name.rawValue) 1") } }
    private var nextKey: SigningKey { get throws { try .named("\(name.rawValue) 2") } }

    /// The published keys; a provider that rotates also publishes the old one.
    func keySet() throws -> Response {
        let keys = settings.fault == .rotatedKey ? [try nextKey, try currentKey] : [try currentKey]
        return try Reply.json(["keys": try keys.map { try $0.webKey() }])
    }

    private func signed(_ token: IDToken) async throws -> String {
        let current = try currentKey
        let identifier = JWKIdentifier(string: current.identifier)
        let keys = SnakeCase.keys()
        if has(.unsigned) {
            await keys.addUnsecuredNone(kid: identifier, serializer: SnakeCase.serializer)
            return try await keys.sign(token, kid: identifier)
        }
        if has(.hmacWithPublicKey) {
            await keys.add(
                hmac: current.asSecret, digestAlgorithm: .sha256, kid: identifier, serializer: SnakeCase.serializer)
            return try await keys.sign(token, kid: identifier)
        }
        if has(.wrongSignature) { return try await signed(token, with: try nextKey, named: current.identifier) }
        if has(.unknownKey) || has(.rotatedKey) {
            let next = try nextKey
            return try await signed(token, with: next, named: next.identifier)
        }
        return try await signed(token, with: current, named: current.identifier)
    }

    private func signed(_ token: IDToken, with key: SigningKey, named name: String) async throws -> String {
        let keys = SnakeCase.keys()
        let identifier = JWKIdentifier(string: name)
        await keys.add(rsa: key.key, digestAlgorithm: .sha256, kid: identifier, serializer: SnakeCase.serializer)
        return try await keys.sign(token, kid: identifier)
    }
}
