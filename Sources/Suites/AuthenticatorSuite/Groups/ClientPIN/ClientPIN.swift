internal import Conformance

extension AuthenticatorSuite {
    /// authenticatorClientPIN (CTAP 2.3 §6.5).
    package static let clientPIN = Group(
        "clientPIN", "authenticatorClientPIN",
        KeyAgreementCases.all + SetPINCases.all + ChangePINCases.all + TokenRequestCases.all + TokenUseCases.all
            + RetryCases.all + SubcommandCases.all)
}
