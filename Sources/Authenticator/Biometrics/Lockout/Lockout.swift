/// Whether, and for how long, failed attempts have closed the sensor.
public enum Lockout: Hashable, Codable, Sendable {
    /// Open.
    case none
    /// Closed until this time; whether the count of failures stays when it ends is the policy's to say.
    case timed(until: Duration)
    /// Closed until a device credential or a refill; time alone never opens it.
    case permanent
    /// Closed by force, the device credential's part included: CTAP's uvRetries at 0 because pinRetries is 0.
    case exhausted

    /// A name that stays the same between versions: `none`, `timed`, `permanent` or `exhausted`.
    public var label: String {
        switch self {
        case .none: "none"
        case .timed: "timed"
        case .permanent: "permanent"
        case .exhausted: "exhausted"
        }
    }
}

extension Lockout {
    /// The lockout in force at a moment; a timed lockout is over at its end.
    func remaining(at now: Duration) -> Lockout {
        if case .timed(let until) = self, now >= until { .none } else { self }
    }

    /// Two lockouts that both bind: the graver one, and of two timed ones the one that ends later.
    func joined(with other: Lockout) -> Lockout {
        if case .timed(let end) = self, case .timed(let otherEnd) = other { return .timed(until: max(end, otherEnd)) }
        return gravity >= other.gravity ? self : other
    }

    private var gravity: Int {
        switch self {
        case .none: 0
        case .timed: 1
        case .permanent: 2
        case .exhausted: 3
        }
    }
}

extension Duration {
    /// The time `span` after this one, without overflow for any stored clock.
    ///
    /// - Parameter span: at most a year, as ``GatePolicy`` makes sure.
    func later(by span: Duration) -> Duration {
        min(self, .seconds(Int64.max)) + span
    }
}
