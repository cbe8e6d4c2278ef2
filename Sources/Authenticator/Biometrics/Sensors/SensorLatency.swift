/// The latency of a sensor's samples.
public enum SensorLatency: Hashable, Codable, Sendable {
    /// A constant latency.
    case fixed(Duration)
    /// Uniformly distributed.
    case uniform(from: Duration, to: Duration)
    /// Normally distributed, with a minimum.
    case normal(mean: Duration, deviation: Duration, floor: Duration)
}
