/// A service that gives no answer of its own.
package enum ServiceOutage: String, CaseIterable, Hashable, Sendable, Codable {
    /// Answers 503.
    case unavailable
    /// Closes the connection without an answer, at once.
    case refused
    /// Closes the connection without an answer, after ``ServiceAvailability/patience``.
    case silent
    /// Performs the request, and closes the connection without an answer.
    case answerLost = "answer-lost"

    /// One sentence for help and schema.
    package var meaning: String {
        switch self {
        case .unavailable: "The service answers 503."
        case .refused: "The service closes the connection without an answer."
        case .silent: "The service closes the connection without an answer, after a minute."
        case .answerLost: "The service performs the request and closes the connection without an answer."
        }
    }
}

/// A service's outage and slowness, which can be limited to one of its endpoints.
package struct ServiceAvailability: Hashable, Sendable {
    package var outage: ServiceOutage?
    /// The time that each request takes beyond the service's own.
    package var latency = Duration.zero
    /// The endpoint that the outage and the latency concern, one of ``ServiceRequest/endpoint``; nil for every one.
    package var endpoint: String?

    /// The time after which a silent service closes the connection: longer than clients wait.
    package static let patience = Duration.seconds(60)

    package init() {}

    package var isUsual: Bool { outage == nil && latency == .zero }
}
