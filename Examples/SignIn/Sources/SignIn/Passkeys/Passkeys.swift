/// The requests of passkeys that the app makes.
@MainActor
public protocol Passkeys: AnyObject {
    /// Asks the user for a new passkey.
    func create(_ options: RegistrationOptions) async throws -> NewPasskey
    /// Asks the user to sign in on a sheet.
    ///
    /// - Parameter quietly: whether the request ends like a cancelled one, without a sheet, if the device has no
    ///   passkey.
    func sign(_ options: SignInOptions, quietly: Bool) async throws -> PasskeySignature
    /// Offers passkeys at the field for the user's name, and waits for the user to pick one.
    func offer(_ options: SignInOptions) async throws -> PasskeySignature
    /// Ends the request in progress.
    func cancel()
}
