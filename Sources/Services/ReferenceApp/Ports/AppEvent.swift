internal import Causes

/// An event for the app: the user's acts, the life of its process, and the answers to its effects.
package enum AppEvent: Sendable {
    // The life of the app.
    /// The process starts.
    case launched
    /// The app returns to the screen after a time.
    case resumed(away: Duration)
    /// The system opens a universal link of the app.
    case openedLink(String)
    /// The network comes or goes.
    case networkChanged(isOnline: Bool)

    // The user.
    case tapped(AppButton)
    case entered(AppField, String)

    // The device.
    /// A sample did not match while a prompt is open; Android's `onAuthenticationFailed`.
    case attemptFailed
    /// The prompt of ``AppEffect/verifyUser`` ended.
    case verified(SensorTrouble?)
    /// The comparison of ``AppEffect/compareEnrolment`` ended.
    case enrolmentCompared(isSame: Bool)
    /// The item was read.
    case read(AppItem, ItemReading)
    /// The item was stored, or could not be.
    case stored(AppItem, SensorTrouble?)
    /// The platform answered a passkey request.
    case passkeyAnswered(PasskeyAnswer)

    // The services.
    /// The provider's page is on the screen.
    case pageOpened
    /// The provider's page did not open.
    case pageFailed
    /// The in-app browser followed a redirect to the app.
    case returned(String)
    /// A request was answered.
    case answered(AppRequest, AppAnswer)
}

/// The result of reading an item.
package enum ItemReading: Hashable, Sendable {
    case value(String)
    case trouble(SensorTrouble)
}

/// The result of a passkey request.
package enum PasskeyAnswer: Hashable, Sendable {
    /// The credential's response, as JSON.
    case response(String)
    /// The user dismissed the platform's sheet; iOS also reports a device without a passkey so.
    case userCanceled
    /// Android found no passkey.
    case noCredential
    /// The platform refused the request.
    case refused

    /// The code that the passkey service's library gives the app; nil for a response.
    package var errorCode: String? {
        switch self {
        case .response: nil
        case .userCanceled: "user_canceled"
        case .noCredential: "no_credential"
        case .refused: "refused"
        }
    }
}
