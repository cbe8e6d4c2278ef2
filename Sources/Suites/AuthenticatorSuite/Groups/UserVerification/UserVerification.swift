internal import Conformance

extension AuthenticatorSuite {
    /// Built-in user verification (CTAP 2.3 §6.5.3, §6.5.5.7.3, §7.2).
    package static let uv = Group("uv", "User verification", UVTokenCases.all + UVOptionCases.all)
}
