#if SIMULATED_PHONE
internal import SimulatedAppleNames
#else
internal import AuthenticationServices
#endif

/// The outcome of a request for a passkey.
public enum PasskeyOutcome: Equatable, Sendable {
    /// The user is signed in, the passkey is registered, or the user has confirmed.
    case done
    /// The user closed the sheet, or the device has no passkey: the app shows its form.
    case form
    /// The device already has a passkey of the account.
    case exists
    /// The device needs a passcode first.
    case needsPasscode
    /// The passkey belongs to another account.
    case otherAccount
    /// The request failed; the app shows its form and a message.
    case failed
}

/// Signs in with passkeys, and adds them.
@MainActor
public final class PasskeySignIn {
    private let server: any SignInServer
    private let passkeys: any Passkeys
    private let session: AppSession

    /// The passkeys of a session.
    public init(server: any SignInServer, passkeys: any Passkeys, session: AppSession) {
        (self.server, self.passkeys, self.session) = (server, passkeys, session)
    }

    /// Adds a passkey to the account of the session.
    public func add() async -> PasskeyOutcome {
        await outcome {
            guard let account = session.account else { return .form }
            let options = try await server.registrationOptions(for: account)
            let passkey = try await passkeys.create(options)
            try await server.register(passkey, for: account)
            return .done
        }
    }

    /// Signs in on a sheet: when the user presses the button, or quietly when the screen appears.
    public func signIn(quietly: Bool = false) async -> PasskeyOutcome {
        await outcome {
            let signature = try await passkeys.sign(try await server.signInOptions(for: nil), quietly: quietly)
            return try await open(signature)
        }
    }

    /// Offers passkeys at the field for the user's name, until the user picks one or leaves the screen.
    public func offer() async -> PasskeyOutcome {
        await outcome { try await open(try await passkeys.offer(try await server.signInOptions(for: nil))) }
    }

    /// The user leaves the screen with the field.
    public func leave() { passkeys.cancel() }

    /// Asks the user to confirm a step with a passkey of the session's account.
    public func confirm() async -> PasskeyOutcome {
        await outcome {
            guard let account = session.account else { return .form }
            let options = try await server.signInOptions(for: account)
            let confirmation = try await server.signIn(with: try await passkeys.sign(options, quietly: false))
            return confirmation.account == account ? .done : .otherAccount
        }
    }

    private func open(_ signature: PasskeySignature) async throws -> PasskeyOutcome {
        let opened = try await server.signIn(with: signature)
        try session.signedIn(opened.account, token: opened.token)
        return .done
    }

    private func outcome(_ request: () async throws -> PasskeyOutcome) async -> PasskeyOutcome {
        do {
            return try await request()
        } catch ASAuthorizationError.canceled {
            return .form
        } catch ASAuthorizationError.matchedExcludedCredential {
            return .exists
        } catch ASAuthorizationError.deviceNotConfiguredForPasskeyCreation {
            return .needsPasscode
        } catch {
            return .failed
        }
    }
}
