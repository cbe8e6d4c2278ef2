internal import JWTKit

/// The claims of an ID token (OpenID Connect Core §2), with those of BankID and Vipps; ``SnakeCase`` names them.
struct IDToken: JWTPayload {
    var iss: String
    var sub: String
    var aud: String
    var exp: Int
    var iat: Int
    var authTime: Int
    var nonce: String?
    var atHash: String
    var sid: String
    var azp: String?
    var acr: String?
    /// BankID's way of authentication: BID, BIM or BIS.
    var amr: String?
    var typ: String?
    /// BankID's identifier of the person.
    var bankidAltsub: String?
    var name: String?
    var givenName: String?
    var familyName: String?
    var birthdate: String?
    /// The personnummer at BankID.
    var nninAltsub: String?
    /// The personnummer at Vipps.
    var nin: String?

    // The service that reads the token judges its times by its own clock.
    func verify(using key: some JWTAlgorithm) {}
}

/// The answer of the userinfo endpoint (OpenID Connect Core §5.3.2).
struct UserInfo: Codable, Sendable {
    var sub: String
    var sid: String?
    var name: String?
    var givenName: String?
    var familyName: String?
    var birthdate: String?
    var phoneNumber: String?
    var email: String?
    var emailVerified: Bool?
    var address: Address?
    var nninAltsub: String?
    var nin: String?

    struct Address: Codable, Sendable {
        let streetAddress: String
        let postalCode: String
        let region: String
        let country: String
        let addressType: String
    }
}
