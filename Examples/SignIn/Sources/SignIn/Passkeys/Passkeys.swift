/// The requests of passkeys that the app makes.
@MainActor
public protocol Passkeys: AnyObject {
    /// Asks the user for a new passkey.
    func create(_ options: RegistrationOptions) async throws -> NewPasskey
    /// Asks the user to sign in on a sheet.
    ///
    /// - Parameter quietly: without a passkey on the device no sheet appears, and the request ends as a cancelled one does.
    func sign(_ options: SignInOptions, quietly: Bool) async throws -> PasskeySignature
    /// Offers passkeys at the field for the user's name, and waits for the user to pick one.
    func offer(_ options: SignInOptions) async throws -> PasskeySignature
    /// Ends the request in progress.
    func cancel()
}
