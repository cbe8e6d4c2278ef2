/// The content of a provider's authorization page.
struct ProviderLogin: Sendable {
    let provider: String
    let title: String
    /// The path that the form is posted to.
    let action: String
    let request: String
    let app: String
    let scopes: [Scope]
    let residents: [Choice]

    struct Scope: Sendable {
        let name: String
    }

    struct Choice: Sendable {
        let id: String
        let name: String
        let isChosen: Bool
    }
}

/// The content of a provider's page that leads nowhere.
struct ProviderProblem: Sendable {
    let provider: String
    let title: String
    let problem: String
}
