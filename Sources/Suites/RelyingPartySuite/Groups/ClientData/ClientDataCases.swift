internal import Conformance

/// The cases of client data (WebAuthn L3 §7.1 steps 5 to 11, §7.2 steps 8 to 14).
enum ClientDataCases {
    static let registration: [Case] = ClientDataRow.all.map { $0.conformanceCase(.registration) }
    static let assertion: [Case] = ClientDataRow.all.map { $0.conformanceCase(.assertion) }
}
