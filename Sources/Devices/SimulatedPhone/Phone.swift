internal import DeviceProfiles
package import SimulatedDevice
package import VirtualAuthenticator

/// A simulated phone, tablet or computer in the process of a test.
///
/// It has the sensors, the lock screen, the secure storage and the apps of the devices that its profile describes, and a
/// user. Phones are independent of each other: tests with a phone each run in parallel. A phone's clock moves when the
/// test moves it, and when the user keeps a prompt waiting.
///
/// ```swift
/// import SimulatedPhone
///
/// func lockedOut() throws -> Bool {
///     let phone = try Phone("iphone-face-id")
///     try phone.lockOut()
///     return phone.lockout != .none
/// }
/// ```
public final class Phone: Sendable {
    /// The name of the app under test, which is installed and open on a new phone: `app`.
    public static let defaultApp = SecretID.defaultApp

    /// The user at the phone.
    public let person: PhonePerson

    package let device: SimulatedDevice
    package let clock: SimulatedClock
    package let random: any RandomSource
    package let user: ControlledUser
    let executor = PhoneExecutor()
    let keychain = KeychainIndex()
    let desk = AuthorizationDesk()
    let refusals = RefusalLedger()
    let start: Duration

    /// Creates a phone that is switched on and unlocked, with an enrolled user, a passcode and an open app.
    ///
    /// - Parameters:
    ///   - profile: the name of a built-in profile, such as `iphone-face-id` or `macbook-touch-id`.
    ///   - seed: the seed of the random numbers, such as keys and the latencies of sensors; nil for new ones each time.
    /// - Throws: ``PhoneRefusal`` for an unknown name, with the nearest names, and for a profile without a screen, such
    ///   as a security key's.
    public init(_ profile: String, seed: UInt64? = nil) throws {
        do {
            let kind = try DeviceProfile.builtIn(named: profile)
            let clock = SimulatedClock()
            let random: any RandomSource = seed.map(SeededRandomSource.init) ?? SystemRandomSource()
            let wait: @Sendable (Duration) async -> Void = { clock.advance(to: $0) }
            let user = ControlledUser(habit: .auto, waitUntil: wait)
            let person = PhonePerson(user, possible: PossibleActs(kind), executor: executor, desk: desk)
            device = try SimulatedDevice(
                profile: kind, time: clock, random: random, user: user,
                log: EventLog { [desk] event in
                    person.hear(event)
                    desk.hear(event)
                },
                executor: executor, wait: wait)
            (self.clock, self.random, self.user, self.person) = (clock, random, user, person)
            start = clock.now()
            try device.requireScreen()
        } catch {
            throw PhoneRefusal(error)
        }
    }

    /// The name of the profile.
    public var profile: String { device.profile.name }

    /// The device's display name, such as `iPhone with Face ID, passkeys in iCloud Keychain`.
    public var title: String { device.profile.title }

    /// The time since the phone was switched on.
    public var uptime: Duration { clock.now() - start }

    /// Moves the phone's clock forward, without a wait in real time.
    ///
    /// - Throws: ``PhoneRefusal`` for a span that is not positive.
    public func wait(_ span: Duration) throws {
        guard span > .zero else { throw PhoneRefusal("\(span) is not a positive span; give one above zero") }
        clock.advance(by: span)
    }

    /// Carries out an operation on the phone and waits for it, without a thread of its own.
    package func wait<Success: Sendable>(
        for operation: @escaping @Sendable () async throws -> Success
    ) throws -> Success {
        try executor.wait(for: operation)
    }

    /// Carries out an operation on the phone; cancelling the task cancels it.
    ///
    /// Everything that reaches the device's actors goes through here or through ``wait(for:)``.
    package func run<Success: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        try await executor.run(operation)
    }
}
