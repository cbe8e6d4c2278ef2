/// The apps.
///
/// Each act throws ``PhoneRefusal`` when the phone refuses it, and when it has no effect in the phone's state. ``defaultApp``
/// is installed and open on a new phone.
extension Phone {
    /// Installs an app, which does not run yet.
    public func install(_ app: String = defaultApp) throws { try change(app, "install") }

    /// Opens an app in the foreground.
    public func launch(_ app: String = defaultApp) throws { try change(app, "launch") }

    /// The system starts an app in the background, as for a notification.
    public func wake(_ app: String = defaultApp) throws { try change(app, "wake") }

    /// An app leaves the foreground; its prompt ends.
    public func background(_ app: String = defaultApp) throws { try change(app, "background") }

    /// An app returns to the foreground with its memory.
    public func resume(_ app: String = defaultApp) throws { try change(app, "resume") }

    /// The system or the user stops an app; its contexts end, and its storage stays.
    public func kill(_ app: String = defaultApp) throws { try change(app, "kill") }

    /// Removes an app; items of the Keychain stay.
    public func uninstall(_ app: String = defaultApp) throws { try change(app, "uninstall") }

    /// Removes an app and installs it again; it does not run yet.
    public func reinstall(_ app: String = defaultApp) throws { try change(app, "reinstall") }

    /// Clears an app's data in the settings; Apple's systems have no such setting and refuse it.
    public func clearData(of app: String = defaultApp) throws { try change(app, "clear-data") }

    /// Allows an app to use Face ID, or forbids it.
    public func setFaceIDPermission(_ isAllowed: Bool, app: String = defaultApp) throws {
        try perform("permission", ["state": isAllowed ? "on" : "off", "app": app])
    }

    private func change(_ app: String, _ act: String) throws { try perform("app", ["act": act, "app": app]) }
}
