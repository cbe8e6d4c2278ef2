internal import CBOR
internal import CTAP
internal import WebAuthn

extension AuthenticatorAnswer {
    /// The comparable part of an answer: its status, its defect, and the form of its response without random values.
    func outline(to message: [UInt8]) -> String {
        if status == .keepaliveCancel, askedForUser { return "asks for a touch" }
        let command = message.first.map(CTAPCommand.init)
        // The members of getInfo are compared one by one.
        guard status == .ok, command != .getInfo, let cbor else { return status.description + defect }
        let hasData = command == .makeCredential || command == .getAssertion || command == .getNextAssertion
        return "\(status)\(defect) \(Self.form(cbor, hasAuthenticatorData: hasData))"
    }

    /// The defect in the form of an answer: a refusal has no parameters, any other answer is canonical CBOR.
    private var defect: String {
        guard status == .ok || bytes.count == 1 else {
            return ", with \(bytes.count == 2 ? "1 byte" : "\(bytes.count - 1) bytes") after it"
        }
        return encodingProblem.map { ", but \($0.rule.explanation)" } ?? ""
    }

    private static func form(_ value: CBOR.Value, hasAuthenticatorData: Bool = false) -> String {
        switch value {
        case .map(let map):
            let members = map.map { entry in
                let name = (try? entry.key.asUnsigned("key")).map { ($0 < 16 ? "0x0" : "0x") + hex($0) }
                let isData = hasAuthenticatorData && entry.key == 2
                return "\(name ?? entry.key.description): \(isData ? data(entry.value) : form(entry.value))"
            }
            return "{\(members.joined(separator: ", "))}"
        case .array(let items):
            // The number of items may depend on the device's state.
            var forms: [String] = []
            for item in items where !forms.contains(form(item)) { forms.append(form(item)) }
            return "[\(forms.joined(separator: ", "))]"
        case .text: return value.description
        default: return value.kind.rawValue
        }
    }

    private static func hex(_ number: Int) -> String { String(number, radix: 16, uppercase: true) }

    /// The flags and the extensions of authenticator data.
    private static func data(_ value: CBOR.Value) -> String {
        guard case .bytes(let bytes) = value, let data = try? AuthenticatorData(parsing: bytes) else {
            return form(value)
        }
        return data.flags.abbreviations + (data.extensions.map { " " + form(.map($0)) } ?? "")
    }
}
