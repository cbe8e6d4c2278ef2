internal import Foundation
internal import WebAuthn

extension RegistrationVerifier {
    /// Verifies a response in JSON (WebAuthn L3 §5.1.8.1); JSON that is not a registration response fails r1.
    public func verify(json: [UInt8], expectation: RegistrationExpectation) async -> RegistrationVerdict {
        switch ResponseDecoding.decode(RegistrationResponse.self, from: json, insteadOf: AuthenticationResponse.self) {
        case .success(let response): return await verify(response, expectation: expectation)
        case .failure(let problem):
            var ledger = LedgerBuilder()
            ledger[.registrationResponse] = .failed([problem.reason])
            return RegistrationVerdict(ledger: ledger.ledger(of: VerificationStep.registration), credential: nil)
        }
    }
}

extension AuthenticationVerifier {
    /// Verifies a response in JSON (WebAuthn L3 §5.1.8.2); JSON that is not an authentication response fails a1.
    public func verify(
        json: [UInt8], expectation: AuthenticationExpectation, storedCredential: ([UInt8]) -> CredentialRecord?
    ) -> AuthenticationVerdict {
        switch ResponseDecoding.decode(AuthenticationResponse.self, from: json, insteadOf: RegistrationResponse.self) {
        case .success(let response):
            return verify(response, expectation: expectation, storedCredential: storedCredential)
        case .failure(let problem):
            var ledger = LedgerBuilder()
            ledger[.allowedCredential] = .failed([problem.reason])
            return AuthenticationVerdict(ledger: ledger.ledger(of: VerificationStep.authentication), update: nil)
        }
    }
}

private enum ResponseDecoding {
    struct Problem: Error {
        let reason: Reason
    }

    /// Reads a response; the other ceremony's response and a malformed one have different reasons.
    static func decode<Response: QuicklyReadResponse, Other: Decodable>(
        _ type: PublicKeyCredentialResponse<Response>.Type, from json: [UInt8], insteadOf other: Other.Type
    ) -> Result<PublicKeyCredentialResponse<Response>, Problem> {
        if let response = type.init(quickly: json) { return .success(response) }
        let data = Data(json)
        do {
            return .success(try JSONDecoder().decode(type, from: data))
        } catch {
            let isOther = (try? JSONDecoder().decode(other, from: data)) != nil
            return .failure(
                Problem(
                    reason: isOther
                        ? Reason(.responseWrongCeremony, "the response belongs to the other ceremony")
                        : Reason(.responseMalformed, "the response cannot be read: \(explanation(of: error))")))
        }
    }

    private static func explanation(of error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")) \(context.debugDescription)"
        default: "it is not JSON"
        }
    }
}
