internal import Conformance
internal import Documents
internal import ForeignParties
internal import WebAuthn

extension RelyingPartyBench {
    /// Keeps an account's name, which has the run's suffix, out of the deviations of the case.
    func mask(account: String, of session: PartySession) {
        recorder?.mask(session.accountName(account), as: "account")
    }

    /// Keeps the values of a ceremony's options that another run does not have out of the deviations of the case.
    func mask(valuesOf options: JSONValue) {
        mask(options["challenge"], as: "challenge")
        mask(options["user"]?["id"], as: "user handle")
        for name in ["allowCredentials", "excludeCredentials"] {
            for item in options[name]?.array ?? [] { mask(item["id"], as: "credential ID") }
        }
    }

    /// Masks a text, and the bytes that it stands for in hexadecimal.
    private func mask(_ value: JSONValue?, as noun: String) {
        guard let text = value?.text else { return }
        recorder?.mask(text, as: noun)
        if let bytes = Base64URL.decode(text) { recorder?.mask(Hex.encode(bytes), as: noun) }
    }

    /// Keeps the moments in an answer, which a server takes from its clock, out of the deviations of the case.
    func mask(momentsOf answer: JSONValue) {
        if let text = answer.text, text.wholeMatch(of: /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d.{0,16}/) != nil {
            recorder?.mask(text, as: "moment")
        }
        for item in answer.array ?? [] { mask(momentsOf: item) }
        for item in (answer.object ?? [:]).values { mask(momentsOf: item) }
    }

    /// Keeps the ID of a made credential out of the deviations of the case.
    func mask(credentialID: [UInt8]) {
        recorder?.mask(Base64URL.encode(credentialID), as: "credential ID")
        recorder?.mask(Hex.encode(credentialID), as: "credential ID")
    }
}
