internal import DeviceProfiles
public import Foundation
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn

/// The requests of AuthenticationServices in progress.
extension Phone {
    /// Waits until the requests in progress have ended and their delegates were called.
    ///
    /// An AutoFill-assisted request that waits for the user stays in progress.
    public func finishAuthorizations() async {
        while let flow = desk.unfinished {
            await flow.settle()
            await flow.deliver()
        }
    }

    /// Waits until the requests in progress have ended, and calls their delegates.
    ///
    /// It is for synchronous tests on the main actor.
    @MainActor
    public func finishAuthorizations() {
        while let flow = desk.unfinished {
            executor.result { await flow.settle() }
            flow.deliver()
        }
    }

    /// Whether an AutoFill-assisted request waits for the user; see ``PhonePerson/picks(_:)``.
    public var offersSuggestions: Bool { desk.waiting != nil }

    /// Waits until an AutoFill-assisted request of the app waits for the user, while the app's tasks run.
    ///
    /// - Throws: ``PhoneRefusal`` if the app makes no such request, or if the phone refuses it.
    public func waitForSuggestions() async throws {
        // The app's tasks get many turns; a request of the app needs a few.
        for _ in 1...10_000 {
            if offersSuggestions { return }
            await finishAuthorizations()
            await Task.yield()
        }
        throw PhoneRefusal(
            "no AutoFill-assisted request waits; call performAutoFillAssistedRequests in a task of the app first, and "
                + "read the error that its delegate received")
    }
}

/// The domains of apps, and the user's passwords and contacts.
extension Phone {
    /// Associates an app with these domains only (`webcredentials`).
    ///
    /// Without this call an app is associated with every domain.
    public func associate(_ app: String = defaultApp, with domains: [String]) {
        desk.associate(app, with: Set(domains))
    }

    /// Saves a password of a domain, as after a sign-in whose password the user saves.
    public func savePassword(_ password: String, account: String, for domain: String) {
        desk.save(AuthorizationDesk.SavedPassword(domain: domain, account: account, password: password))
    }

    /// Fills in a saved password at a field of the app, as AutoFill does.
    ///
    /// A conditional registration can then create a passkey without a prompt for five minutes
    /// (``SimulatedASAuthorizationPlatformPublicKeyCredentialRegistrationRequest/RequestStyle/conditional``).
    ///
    /// - Returns: the password.
    /// - Throws: ``PhoneRefusal`` for a password that is not saved.
    @discardableResult
    public func fillPassword(account: String, for domain: String) throws -> String {
        guard let saved = desk.passwords.first(where: { $0.account == account && $0.domain == domain }) else {
            throw PhoneRefusal("the phone has no password of \(account) for \(domain); save one with savePassword")
        }
        desk.noteSignIn(with: saved, at: clock.now())
        return saved.password
    }

    /// Sets the user's contacts and name, which the sheet for a new account shows; nil keeps the earlier value.
    public func setContact(email: String? = nil, phoneNumber: String? = nil, name: PersonNameComponents? = nil) {
        var contact = desk.contact
        contact.email = email ?? contact.email
        contact.phoneNumber = phoneNumber ?? contact.phoneNumber
        contact.name = name ?? contact.name
        desk.contact = contact
    }
}

/// Security keys, and another phone nearby.
extension Phone {
    /// Creates a security key, and plugs it in.
    ///
    /// - Parameter profile: the name of a built-in profile, such as `yubikey-5-nfc-5.7`.
    /// - Throws: ``PhoneRefusal`` for an unknown name, with the nearest names, for a profile that is not a security
    ///   key's, and for a key without USB.
    @discardableResult
    public func plugIn(_ profile: String) throws -> SimulatedSecurityKey {
        let key = try securityKey(profile)
        try plugIn(key)
        return key
    }

    /// Plugs a security key in, which gets its power from the phone.
    ///
    /// After ``unplug()`` this is the power cycle that a key asks for after three wrong PINs in a row.
    ///
    /// - Throws: ``PhoneRefusal`` for a key of another phone, and for one without USB.
    public func plugIn(_ key: SimulatedSecurityKey) throws { try connect(key, over: .usb) }

    /// Holds a security key to the phone until it is unplugged or replaced.
    ///
    /// - Throws: ``PhoneRefusal`` for a key of another phone, and for one without NFC.
    public func tap(_ key: SimulatedSecurityKey) throws { try connect(key, over: .nfc) }

    /// Disconnects the security key.
    ///
    /// - Throws: ``PhoneRefusal`` if none is connected.
    public func unplug() throws {
        guard desk.connected != nil else { throw PhoneRefusal("no security key is connected; plug one in first") }
        desk.connected = nil
    }

    /// Creates a security key for this phone, without connecting it.
    ///
    /// - Throws: ``PhoneRefusal`` for an unknown name, with the nearest names, and for a profile that is not a security
    ///   key's.
    public func securityKey(_ profile: String) throws -> SimulatedSecurityKey {
        do {
            let kind = try DeviceProfile.builtIn(named: profile)
            guard !kind.authenticator.isPlatform else {
                throw PhoneRefusal("\(profile) is not a security key's profile; choose one such as yubikey-5-nfc-5.7")
            }
            let key = try SimulatedSecurityKey(kind, of: self)
            desk.add(key)
            return key
        } catch {
            throw PhoneRefusal(error)
        }
    }

    /// Puts another phone nearby, which scans the QR codes of sign-in sheets; nil removes it.
    public func setNearbyPhone(_ other: Phone?) { desk.nearby = other }

    private func connect(
        _ key: SimulatedSecurityKey,
        over transport: SimulatedASAuthorizationSecurityKeyPublicKeyCredentialDescriptor.Transport
    ) throws {
        guard desk.owns(key) else {
            throw PhoneRefusal("\(key.title) belongs to another phone; create one with this phone's securityKey")
        }
        let transports = key.device.profile.authenticator.transports.map(\.rawValue)
        guard transports.contains(transport.rawValue) else {
            throw PhoneRefusal(
                "\(key.title) has no \(transport.rawValue) transport; it has \(transports.joined(separator: ", "))")
        }
        let last = desk.connected
        if last?.key !== key || last?.transport != transport { key.powerUp() }
        desk.connected = AuthorizationDesk.ConnectedKey(key: key, transport: transport)
    }
}
