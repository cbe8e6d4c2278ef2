/// A session of the driver, and what this server adds to it.
struct DriverSession: Sendable {
    let id: String
    /// The session at the control API, which keeps the virtual authenticators.
    let controlSession: String
    let documents: BrowserDocuments
    let carrier: PageCarrier
}
