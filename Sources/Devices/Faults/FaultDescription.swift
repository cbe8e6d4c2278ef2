internal import VirtualAuthenticator
package import WebAuthn

/// A fault's entry in the catalogue, and its form in JSON.
package struct FaultDescription: Hashable, Sendable, Codable {
    /// The layer a fault is applied at.
    package enum Layer: String, Hashable, Sendable, CaseIterable, Codable {
        /// The data the authenticator signs and answers.
        case authenticator
        /// The CTAP2 response, after the authenticator made it.
        case ctap
        /// The packets that carry the response.
        case transport
        /// The connection between a phone and the computer whose QR code it scans.
        case hybrid
        /// The system of a phone or computer: its secure storage, and its answers to apps.
        case platform
    }

    /// The stable name, such as `counter-backwards`.
    package let name: String
    package let layer: Layer
    /// The error it causes, in a few words.
    package let meaning: String
    /// The parties that should detect it.
    package let noticedBy: [FaultObserver]

    init(_ fault: AuthenticatorFault) {
        name = fault.name
        layer = .authenticator
        meaning = fault.meaning
        let unseen = fault.noticedBy.isEmpty ? [fault.claimsVerification ? FaultObserver.user : .client] : []
        noticedBy = unseen + fault.noticedBy.map(FaultObserver.step)
    }

    init<Effect>(_ row: FaultRow<Effect>, layer: Layer, noticedBy observer: FaultObserver = .client) {
        name = row.name
        self.layer = layer
        meaning = row.meaning
        noticedBy = [observer]
    }
}

/// A party that should detect a fault.
package enum FaultObserver: RawRepresentable, Hashable, Sendable, Codable, CaseIterable {
    /// The relying party, at a step of its verification.
    case step(VerificationStep)
    case client
    /// An app on the device.
    case app
    /// The user, whom the device does not ask; no other party can notice the fault.
    case user

    package static let allCases = VerificationStep.allCases.map(Self.step) + [.client, .app, .user]

    package init?(rawValue: String) {
        guard let observer = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = observer
    }

    /// The step's number, such as `r9`, or `client`, `app` or `user`.
    package var rawValue: String {
        switch self {
        case .step(let step): step.rawValue
        case .client: "client"
        case .app: "app"
        case .user: "user"
        }
    }
}
