/// The apps on the phone.
///
/// Each act throws ``PhoneRefusal`` when the phone refuses it, and when it has no effect in the phone's state. ``defaultApp``
/// is installed and open on a new phone.
extension Phone {
    /// Installs an app; the app does not run yet.
    public func install(_ app: String = defaultApp) throws { try change(app, "install") }

    /// Opens an app in the foreground.
    public func launch(_ app: String = defaultApp) throws { try change(app, "launch") }

    /// Starts an app in the background, as the system does for a notification.
    public func wake(_ app: String = defaultApp) throws { try change(app, "wake") }

    /// Sends an app to the background; its open prompt ends.
    public func background(_ app: String = defaultApp) throws { try change(app, "background") }

    /// Returns a running app to the foreground, with its memory.
    public func resume(_ app: String = defaultApp) throws { try change(app, "resume") }

    /// Stops an app, as the system or the user does; its contexts end, and its storage stays.
    public func kill(_ app: String = defaultApp) throws { try change(app, "kill") }

    /// Removes an app; items of the Keychain stay.
    public func uninstall(_ app: String = defaultApp) throws { try change(app, "uninstall") }

    /// Removes an app and installs it again; it does not run yet.
    public func reinstall(_ app: String = defaultApp) throws { try change(app, "reinstall") }

    /// Clears an app's data, as the settings of Android do; Apple's systems refuse it.
    public func clearData(of app: String = defaultApp) throws { try change(app, "clear-data") }

    /// Allows an app to use Face ID, or forbids it.
    public func setFaceIDPermission(_ isAllowed: Bool, app: String = defaultApp) throws {
        try perform("permission", ["state": isAllowed ? "on" : "off", "app": app])
    }

    private func change(_ app: String, _ act: String) throws { try perform("app", ["act": act, "app": app]) }
}
