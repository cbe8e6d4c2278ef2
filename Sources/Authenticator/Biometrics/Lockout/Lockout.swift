/// The lockout of a sensor after failed attempts.
public enum Lockout: Hashable, Codable, Sendable {
    /// No lockout.
    case none
    /// Locked until this time; the policy decides whether the count of failures survives it.
    case timed(until: Duration)
    /// Locked until a device credential or a refill.
    case permanent
    /// Locked together with the device credential in prompts: CTAP's uvRetries is 0 because pinRetries is 0.
    case exhausted

    /// The kinds of lockout; the raw value is a stable name.
    public enum Kind: String, CaseIterable, Codable, Sendable { case none, timed, permanent, exhausted }

    /// The kind of lockout.
    public var kind: Kind {
        switch self {
        case .none: .none
        case .timed: .timed
        case .permanent: .permanent
        case .exhausted: .exhausted
        }
    }

    /// The stable name: `none`, `timed`, `permanent` or `exhausted`.
    public var label: String { kind.rawValue }
}

extension Lockout {
    func remaining(at now: Duration) -> Lockout {
        if case .timed(let until) = self, now >= until { .none } else { self }
    }

    /// The stricter of two lockouts; of two timed ones, the one that ends later.
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
    /// The time `span`, at most a year, after this one, without overflow for any stored clock.
    func later(by span: Duration) -> Duration { min(self, .seconds(Int64.max)) + span }
}
