public import Attestation
public import COSE

/// Everything an authenticator takes from the world outside its own state.
///
/// The authenticator has no clock, no randomness and no person of its own: two runs in equal environments are equal.
public struct Environment: Sendable {
    /// The time.
    public var time: any TimeSource
    /// The randomness.
    public var random: any RandomSource
    /// The person at the device.
    public var person: any Person
    /// Where signatures take their randomness from; ``COSE/SigningMode/deterministic`` for runs that repeat.
    public var signing: COSE.SigningMode
    /// Makes the key of a new credential, for the algorithm it is given; nil makes it of random bytes.
    public var newKey: (@Sendable (COSE.Algorithm) throws -> COSE.PrivateKey)?
    /// What attests for the device's model; nil for the bench's own authority.
    public var attestation: AttestationMaker?
    /// Where the device keeps what must survive; nil for one that forgets everything with its process.
    public var storage: (any AuthenticatorStorage)?
    /// Hears everything that happens, in order; nil when nobody listens.
    public var record: (@Sendable (AuthenticatorEvent) -> Void)?

    /// An environment; keys and attestation are the default ones until they are set.
    public init(
        time: any TimeSource, random: any RandomSource, person: any Person,
        signing: COSE.SigningMode = .randomized, storage: (any AuthenticatorStorage)? = nil,
        record: (@Sendable (AuthenticatorEvent) -> Void)? = nil
    ) {
        self.time = time
        self.random = random
        self.person = person
        self.signing = signing
        self.storage = storage
        self.record = record
    }
}

/// A clock.
public protocol TimeSource: Sendable {
    /// The time since the Unix epoch.
    func now() -> Duration
}

/// A source of random bytes.
public protocol RandomSource: Sendable {
    /// That many random bytes.
    func bytes(_ count: Int) -> [UInt8]
}
