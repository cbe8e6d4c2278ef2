public import Attestation
public import COSE

/// The clock, randomness, user and storage of an authenticator.
///
/// The authenticator has none of its own: two runs in equal environments are equal.
public struct Environment: Sendable {
    /// The time.
    public var time: any TimeSource
    /// The randomness.
    public var random: any RandomSource
    /// The user at the device.
    public var user: any User
    /// The source of the signatures' randomness; `COSE.SigningMode.deterministic` for reproducible runs.
    public var signing: COSE.SigningMode
    /// Makes the key of a new credential for an algorithm; nil makes it from random bytes.
    public var newKey: (@Sendable (COSE.Algorithm) throws -> COSE.PrivateKey)?
    /// The attestation of the device's model; nil for the bench's own authority.
    public var attestation: AttestationMaker?
    /// The executor of the tasks that the authenticator starts; nil for the default one.
    public var executor: (any TaskExecutor)?
    /// Whether the device credential may replace the sensor; Stolen Device Protection or Identity Check may deny it.
    public var admitsDeviceCredential: @Sendable () -> Bool = { true }
    /// The device's storage; nil for a device without storage.
    public var storage: (any AuthenticatorStorage)?
    /// Receives every event, in order; nil for none.
    public var record: (@Sendable (AuthenticatorEvent) -> Void)?

    /// An environment; keys and attestation are the default ones until they are set.
    public init(
        time: any TimeSource, random: any RandomSource, user: any User,
        signing: COSE.SigningMode = .randomized, storage: (any AuthenticatorStorage)? = nil,
        record: (@Sendable (AuthenticatorEvent) -> Void)? = nil
    ) {
        (self.time, self.random, self.user, self.signing, self.storage) = (time, random, user, signing, storage)
        self.record = record
    }
}

/// A clock.
public protocol TimeSource: Sendable {
    /// The time since the Unix epoch on a clock that no user sets: lockouts, prompts and limits of keys follow it.
    func now() -> Duration
    /// The time since the Unix epoch that the device shows, which its user can set.
    func shownTime() -> Duration
}

extension TimeSource {
    /// The time of ``now()``: the user has not set the clock.
    public func shownTime() -> Duration { now() }
}

/// A source of random bytes.
public protocol RandomSource: Sendable {
    /// Returns `count` random bytes.
    func bytes(_ count: Int) -> [UInt8]
}
