internal import Documents
internal import LoopbackHTTP

/// A session of a browser, and this server's additions to it.
struct DriverSession: Sendable {
    let id: String
    /// The session at the control API, which keeps the virtual authenticators.
    let controlSession: String
    let documents: any PageDocuments
    let pages: SessionPages
    /// The DevTools or the WebDriver BiDi for clients.
    let server: SocketServer
    /// The domain `WebAuthn` for commands to DevTools that clients send through the driver.
    let webAuthn: WebAuthnDomain
    /// The browser, if this server has started it.
    let firefox: RunningFirefox?
}
