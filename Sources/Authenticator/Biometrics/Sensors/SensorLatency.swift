/// How long a sensor takes over a sample.
public enum SensorLatency: Hashable, Codable, Sendable {
    /// Always as long.
    case fixed(Duration)
    /// Anything in between, all equally likely.
    case uniform(from: Duration, to: Duration)
    /// Around a mean with a standard deviation, and at least as long as the floor.
    case normal(mean: Duration, deviation: Duration, floor: Duration)
}
