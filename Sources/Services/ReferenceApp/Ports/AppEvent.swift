internal import Causes

/// An event for the app: the user's acts, the life of its process, and the answers to its effects.
package enum AppEvent: Sendable {
    // The life of the app.
    case launched
    case resumed(away: Duration)
    /// The system opens a universal link of the app.
    case openedLink(String)
    case networkChanged(isOnline: Bool)

    // The user.
    case tapped(AppButton)
    /// Taps the button of a row of the screen's list, counted from 0.
    case tappedRow(AppButton, Int)
    case entered(AppField, String)

    // The device.
    /// A sample did not match while a prompt is open; Android's `onAuthenticationFailed`.
    case attemptFailed
    /// The prompt of ``AppEffect/verifyUser`` ended.
    case verified(SensorTrouble?)
    /// ``AppEffect/rememberEnrolment`` ended; with the reason why a change could not be noticed.
    case enrolmentRemembered(SensorTrouble?)
    /// The comparison of ``AppEffect/compareEnrolment`` ended.
    case enrolmentCompared(isSame: Bool)
    /// The check of ``AppEffect/checkEnrolment`` ended.
    case enrolmentChecked(isIntact: Bool)
    case read(AppItem, ItemReading)
    case stored(AppItem, SensorTrouble?)
    case passkeyAnswered(PasskeyAnswer)
    /// The platform has a passkey to suggest for the conditional request, or none.
    case suggestionChanged(Bool)

    // The services.
    case pageOpened
    case pageFailed
    /// The in-app browser followed a redirect to the app.
    case returned(String)
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
