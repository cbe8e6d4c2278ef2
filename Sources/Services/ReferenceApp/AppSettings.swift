/// The app's build: its style of biometric unlock, its limits, and the organisation's policy.
package struct AppSettings: Hashable, Sendable {
    package enum Style: String, CaseIterable, Sendable {
        /// Asks for a biometric, then reads an unguarded item: `local_auth` with `flutter_secure_storage`.
        case booleanGate = "boolean-gate"
        /// As the boolean gate, and compares the enrolled templates with those of the enrolment.
        case domainState = "domain-state"
        /// The item's key needs the sensor and is destroyed with the enrolled templates.
        case boundKey = "bound-key"
    }

    package enum Policy: String, CaseIterable, Codable, Sendable {
        case optional, forbidden, required

        init(_ policy: OrganisationPolicy) {
            self =
                switch policy.biometrics {
                case .allowed: .optional
                case .required: .required
                case .forbidden: .forbidden
                }
        }

        /// The stricter of two policies: each may forbid what the other allows.
        func stricter(_ other: Policy) -> Policy {
            if self == .forbidden || other == .forbidden { return .forbidden }
            return self == .required || other == .required ? .required : .optional
        }
    }

    /// A setting that decides a step of the app; the sensor and the limits of attempts belong to the device.
    package enum Decision: Sendable {
        case style, policy, lockAfter, conditionalMediation
    }

    package var style = Style.boundKey
    package var policy = Policy.optional
    package var sensor = SensorName.faceID
    /// Whether the platform answers that conditional requests are available; the answer false stops the request.
    package var hasConditionalMediation = true
    /// The time away after which a returning user is verified again.
    package var lockAfter = Duration.seconds(300)
    /// The failed attempts after which the app offers the fallback; below every system's own limit.
    package var failureLimit = 3

    package init() {}
}

/// The app's preferences outside secure storage, without any token.
package struct AppPreferences: Hashable, Codable, Sendable {
    package struct User: Hashable, Codable, Sendable {
        package var id: String
        package var name: String
        package var role: AppRole
        package var email: String?
    }

    /// An activity that waits for the network; the key makes its delivery happen once.
    package struct QueuedActivity: Hashable, Codable, Sendable {
        package var key: String
        package var text: String
        package var user: String
    }

    /// Whether this installation of the app has run before.
    package var hasStarted = false
    /// The name of this installation at the backend, which keeps one session for it.
    package var installation: String?
    /// Whether a logout still has to reach the server.
    package var hasEndedSession = false
    package var user: User?
    /// Whether a session is kept in secure storage.
    package var hasSession = false
    /// Whether the session opens with the sensor.
    package var hasBiometrics = false
    package var wasOfferedBiometrics = false
    /// Whether biometric login ended without the user's decision, so that the next login offers it again.
    package var needsNewEnrolment = false
    /// The end of the session, since the Unix epoch; nil when the server told none.
    package var sessionEndsAt: Duration?
    /// The organisation's policy, as the backend last told it.
    package var policy: AppSettings.Policy?
    package var cachedItems: [String] = []
    /// The personal data of the user, encrypted with the key in the item that the sensor guards, as base64.
    package var sealedDetails: String?
    /// The activities of every user that wait for the network, oldest first.
    package var queue: [QueuedActivity] = []

    /// The activities of the last user that wait for the network, oldest first.
    package var waitingActivities: [QueuedActivity] { queue.filter { $0.user == user?.id } }

    package init() {}
}
