public import Foundation

/// The shape of `ASAuthorizationAccountCreationProvider` (iOS 26): it creates requests for an account with a passkey.
///
/// The sheet shows the name and the contact of ``Phone/setContact(email:phoneNumber:name:)``.
public final class SimulatedASAuthorizationAccountCreationProvider: SimulatedASAuthorizationProvider {
    /// A provider.
    public init() {}

    /// A request for a new account.
    ///
    /// - Parameters:
    ///   - acceptedContactIdentifiers: the kinds of contact that the app accepts, most preferred first.
    ///   - shouldRequestName: whether the app asks for the user's name.
    ///   - relyingPartyIdentifier: the RP ID, a domain with which the app is associated.
    ///   - challenge: the bytes that the relying party issued for this request.
    ///   - userID: the user handle, 1 to 64 bytes.
    public func createPlatformPublicKeyCredentialRegistrationRequest(
        acceptedContactIdentifiers: [SimulatedASContactIdentifierRequest], shouldRequestName: Bool,
        relyingPartyIdentifier: String, challenge: Data, userID: Data
    ) -> SimulatedASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest {
        SimulatedASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest(
            self,
            AccountCreation(
                relyingPartyID: relyingPartyIdentifier, contacts: acceptedContactIdentifiers,
                wantsName: shouldRequestName, challenge: challenge, userID: userID))
    }
}

/// The shape of `ASContactIdentifierRequest` (iOS 26): a kind of contact that an app accepts.
public enum SimulatedASContactIdentifierRequest: Hashable, Sendable {
    /// A telephone number.
    case phoneNumber
    /// An e-mail address.
    case email
}

/// The shape of `ASContactIdentifier` (iOS 26): the user's contact.
public enum SimulatedASContactIdentifier: Hashable, Sendable {
    /// A telephone number.
    public struct PhoneNumber: Hashable, Sendable {
        /// The number.
        public let value: String

        /// A telephone number.
        public init(value: String) { self.value = value }
    }

    /// An e-mail address.
    public struct Email: Hashable, Sendable {
        /// The address.
        public let value: String

        /// An e-mail address.
        public init(value: String) { self.value = value }
    }

    /// A telephone number.
    case phoneNumber(PhoneNumber)
    /// An e-mail address.
    case email(Email)

    /// The address or the number, which is the passkey's account name.
    var text: String {
        switch self {
        case .phoneNumber(let number): number.value
        case .email(let address): address.value
        }
    }
}

/// A new account with a passkey, as an app requests it.
struct AccountCreation: Sendable {
    let relyingPartyID: String
    let contacts: [SimulatedASContactIdentifierRequest]
    let wantsName: Bool
    let challenge: Data
    let userID: Data
}

/// The shape of `ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest` (iOS 26): a new account.
public final class SimulatedASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest:
    SimulatedASAuthorizationRequest
{
    private let account: AccountCreation

    init(_ provider: SimulatedASAuthorizationAccountCreationProvider, _ account: AccountCreation) {
        self.account = account
        super.init(provider: provider)
    }

    /// The kinds of contact that the app accepts, most preferred first.
    public var acceptedContactIdentifiers: [SimulatedASContactIdentifierRequest] { account.contacts }
    /// Whether the app asks for the user's name.
    public var shouldRequestName: Bool { account.wantsName }
    /// The RP ID.
    public var relyingPartyIdentifier: String { account.relyingPartyID }
    /// The challenge.
    public var challenge: Data { account.challenge }
    /// The user handle.
    public var userID: Data { account.userID }

    override func kind() -> AuthorizationKind? { .accountCreation(account) }
}

/// The shape of `ASAuthorizationAccountCreationPlatformPublicKeyCredential` (iOS 26): a new account's passkey.
public final class SimulatedASAuthorizationAccountCreationPlatformPublicKeyCredential:
    SimulatedASAuthorizationCredential
{
    /// The contact that the user gave.
    public let contactIdentifier: SimulatedASContactIdentifier
    /// The user's name; nil unless the app asked for it.
    public let name: PersonNameComponents?
    /// The passkey.
    public let credentialRegistration: SimulatedASAuthorizationPlatformPublicKeyCredentialRegistration

    init(
        contact: SimulatedASContactIdentifier, name: PersonNameComponents?,
        registration: SimulatedASAuthorizationPlatformPublicKeyCredentialRegistration
    ) {
        (contactIdentifier, self.name, credentialRegistration) = (contact, name, registration)
    }
}
