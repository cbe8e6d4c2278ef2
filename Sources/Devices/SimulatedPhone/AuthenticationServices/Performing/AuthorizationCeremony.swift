internal import Causes
internal import Foundation
internal import PlatformErrors
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient
internal import Wording

/// Requests of an app as its phone performs them.
struct AuthorizationCeremony: Sendable {
    let phone: Phone
    let app: String
    let requests: [PlannedAuthorization]

    var device: SimulatedDevice { phone.device }

    /// Shows a sheet, and returns the credential that the user picks.
    func performModally(
        _ options: SimulatedASAuthorizationController.RequestOptions
    ) async throws -> SimulatedASAuthorization {
        try check()
        if let conditional = requests.first(where: \.kind.isConditional) {
            guard requests.count == 1 else { throw AuthorizationFailure.mixture }
            return try await performConditionally(conditional)
        }
        let offers = await offers()
        // A sheet with a request for security keys always offers one, so that Apple's system ignores the option there.
        let isImmediate = options.contains(.preferImmediatelyAvailableCredentials)
        if isImmediate, offers.allSatisfy({ $0.kind == .nearbyPhone }) { throw AuthorizationFailure.nothingAvailable }
        return try await perform(try await pick(among: offers))
    }

    /// Checks that the requests can wait for the user at a field: sign-ins with passkeys, on iOS.
    func checkAssisted() throws {
        try check()
        guard device.platform == .ios else {
            throw phone.noting(
                PhoneRefusal(
                    "\(phone.title) has no AutoFill-assisted requests; choose the profile of an iPhone or iPad"))
        }
        guard requests.allSatisfy(\.kind.isAssertion) else {
            throw AuthorizationFailure(
                cause: .requestFailed, reason: "AutoFill-assisted requests sign in with passkeys only.")
        }
    }

    /// The reason why the app cannot ask now; nil when it can.
    var obstacle: AuthorizationFailure? {
        // A passkey needs no network; the app reaches its relying party itself.
        guard let cause = device.obstacleToCeremony(app: app), cause != .offline else { return nil }
        return AuthorizationFailure(cause: cause, operation: operation)
    }

    var operation: PlatformOperation { requests.contains(where: \.kind.isCreation) ? .create : .get }

    private func check() throws {
        guard device.platform.isApple else {
            throw phone.noting(
                PhoneRefusal(
                    "\(phone.title) has no AuthenticationServices; choose the profile of an iPhone, iPad or Mac"))
        }
        guard !requests.isEmpty else { throw InvalidArgument.noRequests }
        if let obstacle { throw obstacle }
        for request in requests {
            guard let domain = request.kind.relyingPartyID else { continue }
            guard Origin.isRelyingPartyID(domain), phone.desk.isAssociated(app, with: domain) else {
                throw AuthorizationFailure.notAssociated(app, domain, operation)
            }
        }
    }

    /// The offer that the user picks on a sheet.
    private func pick(among offers: [AuthorizationOffer]) async throws -> AuthorizationOffer {
        let closed = AuthorizationFailure(cause: .userCancelled, operation: operation)
        guard let (choice, place) = phone.desk.takeChoice() else {
            if let first = offers.first(where: { !$0.needsPlan }) {
                return offers.first(for: SignInChoice(first)) ?? first
            }
            // The sheet shows a QR code for another device, which the user does not have.
            throw AuthorizationFailure(
                cause: .userCancelled, operation: operation,
                reason: "The phone has no credential for the request, and the user closes the sheet.")
        }
        guard choice != .cancel else { throw closed }
        if choice == .signInWithApple, requests.contains(where: \.kind.isAccountCreation) {
            throw AuthorizationFailure(cause: .signInWithApplePreferred, operation: operation)
        }
        guard let offer = offers.first(for: choice) else {
            let others = offers.map(\.choice.description)
            phone.desk.note(
                mistake: "\(place): the sheet does not offer \(choice); "
                    + (others.isEmpty ? "it offers nothing" : "it offers \(others.joined(separator: ", "))"))
            throw closed
        }
        return offer
    }
}

extension SignInChoice {
    /// The choice of a user without a plan: the first offer, and of several passkeys the one that the phone asks for.
    fileprivate init(_ offer: AuthorizationOffer) {
        if case .passkey = offer.kind { self = .passkey } else { self = offer.choice }
    }
}

extension AuthorizationKind {
    var isConditional: Bool { if case .registration(_, isConditional: true) = self { true } else { false } }
    var isAssertion: Bool { if case .assertion = self { true } else { false } }
    var isAccountCreation: Bool { if case .accountCreation = self { true } else { false } }
}

extension InvalidArgument {
    static let noRequests = InvalidArgument(
        sentence: "authorizationRequests is empty: Apple's controller raises an exception for it; give a request")
}
