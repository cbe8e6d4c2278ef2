internal import Mutations

/// Behaviours of the app that a mutation run switches off.
package enum AppMutation: String, Mutation {
    package static let room = "app"

    /// The app withdraws the prompt after its own limit of failures.
    case failureLimit
    /// A prompt starts with no failures.
    case failureReset
    /// An attempt to log in is kept in secure storage.
    case keptAttempt
    /// A callback must carry the state of the attempt.
    case state
    /// The code challenge is the digest of the verifier.
    case codeChallenge
    /// The nonce reaches the gateway.
    case nonce
    /// A refusal at the provider's page is reported as a cancelled login.
    case declinedLogin
    /// A closed page is reported as a cancelled login.
    case closedPage
    /// A failed login offers another try.
    case retry
    /// Biometric login is offered once.
    case singleOffer
    /// Biometric login is offered again after the templates changed.
    case renewedOffer
    /// Enabling biometric login verifies the user.
    case verifiedEnrolment
    /// The unguarded copy of the session goes when biometric login is enabled.
    case unguardedCopy
    /// The organisation may forbid biometric login.
    case forbiddingPolicy
    /// The organisation may require biometric login.
    case requiringPolicy
    /// Switching biometric login off asks first.
    case disableQuestion
    /// Switching biometric login off deletes the session's item.
    case disableDeletes
    /// Each role has its home.
    case roleHome
    /// The style decides the protection of the session.
    case boundKey
    /// The gate with domain state compares the enrolled templates.
    case enrolmentComparison
    /// Changed templates end the session.
    case templateChange
    /// A refused sensor leads to the other logins.
    case otherLogins
    /// The message names the trouble of the sensor.
    case sensorMessage
    /// A device without a sensor is directed to the password.
    case noSensor
    /// A long absence locks the app.
    case lockAfter
    /// An unlock gets new tokens.
    case unlockRefresh
    /// A start with an old access token gets new tokens first.
    case startRefresh
    /// The app reports the end of a session and shows no prompt.
    case sessionEnd
    /// The end of a session deletes its items.
    case sessionItems
    /// A refresh that is refused ends the session.
    case refusedRefresh
    /// An outage does not end the session.
    case outage
    /// The app tells that it shows saved data.
    case offlineMessage
    /// Saved data are shown without a network.
    case savedData
    /// An activity is queued before it is sent.
    case queue
    /// The queue outlives the app.
    case keptQueue
    /// The queue is sent when the network is back.
    case queueDelivery
    /// The queue is sent after a login.
    case queueAfterLogin
    /// An outage of the service holds the queue up only until the service answers again.
    case queueRetry
    /// A queued activity is sent in the session of its own user.
    case queueOwner
    /// Protected data need the user again.
    case stepUp
    /// A failed step-up shows nothing.
    case stepUpRefusal
    /// Protected data leave the screen with it.
    case hiddenData
    /// A conditional request ends before another begins.
    case conditionalAbort
    /// No conditional request begins where the platform has none.
    case conditionalAvailability
    /// A passkey that was not used leads to the e-mail code.
    case passkeyFallback
    /// An unknown user is signed up.
    case signUp
}
