/// A management request, whose pinUvAuthParam authenticates a message of its own.
package protocol TokenAuthenticatedRequest {
    var authenticatedMessage: [UInt8] { get }
    var pinUvAuthProtocol: Int? { get set }
    var pinUvAuthParam: [UInt8]? { get set }
}

extension CredentialManagementRequest: TokenAuthenticatedRequest {}
extension BioEnrollmentRequest: TokenAuthenticatedRequest {}
extension AuthenticatorConfigRequest: TokenAuthenticatedRequest {}
extension LargeBlobsRequest: TokenAuthenticatedRequest {}

extension TokenAuthenticatedRequest {
    /// The request with the token's pinUvAuthParam; unchanged without a token.
    func authenticated(by token: PINClient.Token?) -> Self {
        guard let token else { return self }
        var request = self
        request.pinUvAuthParam = token.authenticate(authenticatedMessage)
        request.pinUvAuthProtocol = token.pinProtocol.rawValue
        return request
    }
}
