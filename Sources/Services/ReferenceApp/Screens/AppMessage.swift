/// A message on the screen; each text is declared here once.
package enum AppMessage: Hashable, Sendable {
    /// The data that a provider's page gives to the app.
    case consent(Provider)
    case loginCancelled(Provider)
    case providerUnavailable(Provider)
    case loginFailed
    case serviceUnavailable
    case passwordWrong
    case passwordTooOften
    case passwordWeak
    case resetCodeSent
    case resetCodeWrong
    case resetIncomplete
    case codesBlocked
    case sessionExpired
    case offline
    case offlineSessionExpired
    case savedData
    /// Data of the device, while the service is asked.
    case keptData
    case codeSent
    case codeWrong
    case codeExpired
    case codeTooOften
    case passkeyMissing
    case passkeyRefused
    case passkeyAdded
    case passkeyRemoved
    case passkeyNotAdded
    case passkeyKept
    case passkeyOfAnother
    case passkeyIsLast
    case loginTooOld
    case enrolmentPurpose
    case biometricsRequired
    case biometricsOn
    case biometricsOff
    case biometricsEnabled
    case biometricsDisabled
    case disableQuestion
    case queued(Int)
    case activitySent
    case claimSent
    case noTemplate
    case noSensor
    case sensorOff
    case sensorBlockedForNow
    case sensorBlocked
    case sensorBroken
    case sensorTooWeak
    case templatesChanged
    case passcodeNeeded
    case promptCancelled
    case tooManyAttempts
    case enableFirst
    case stepUpRefused
    case biometricsForbidden
    case loginOffline
    case needsNetwork
    case roleChanged

    /// Whether it says that the device is offline.
    var isAboutNetwork: Bool { [.offline, .offlineSessionExpired, .loginOffline, .needsNetwork].contains(self) }

    package func text(_ sensor: SensorName) -> String {
        let name = sensor.rawValue
        return switch self {
        case .consent(.bankID): "BankID tells the app your name, your birth date and your personnummer"
        case .consent(.vipps): "Vipps tells the app your name, phone number, e-mail address and personnummer"
        case .loginCancelled(let provider): "\(provider.name) login was cancelled"
        case .providerUnavailable(let provider):
            "\(provider.name) is temporarily unavailable. Try \(provider.other.name) instead or retry later"
        case .loginFailed: "Login failed — please try again"
        case .serviceUnavailable: "The service does not answer. Please try again in a moment"
        case .passwordWrong: "The e-mail address or the password is not right. Please try again"
        case .passwordTooOften: "Too many attempts. Please wait a few minutes, or use BankID or Vipps"
        case .passwordWeak: "The password is too short or too long. Choose 8 characters or more"
        case .resetCodeSent: "If this address has a password, we sent it a code"
        case .resetCodeWrong: "The code is wrong, used or too old. Try again, or send a new one"
        case .resetIncomplete: "Type the code and the new password"
        case .codesBlocked: "Too many codes were wrong. Please wait an hour, or use BankID or Vipps"
        case .sessionExpired: "Your session has expired — please log in again"
        case .offline: "You are offline. You see saved data"
        case .savedData: "The service does not answer. You see saved data"
        case .keptData: "You see saved data. The app asks the service for new data"
        case .offlineSessionExpired: "You are offline. You see saved data; log in when you are online to sync it"
        case .codeSent: "We sent you a code by e-mail"
        case .codeWrong: "That is not the code we sent. Please try again"
        case .codeExpired: "The code is too old. Send a new one"
        case .codeTooOften: "The code was wrong too many times. Send a new code"
        case .passkeyRefused: "That passkey did not work. Log in with an e-mail code instead"
        case .passkeyMissing: "No passkey was used. Log in with an e-mail code instead"
        case .passkeyAdded: "Your passkey is ready"
        case .passkeyRemoved: "The passkey was removed"
        case .passkeyNotAdded: "No passkey was added. You can add one at any time"
        case .passkeyKept: "The passkey was kept"
        case .passkeyOfAnother: "That passkey belongs to another account, so nothing was removed"
        case .passkeyIsLast: "This is your only passkey, so it was kept. Add another one first"
        case .loginTooOld: "Please log in again before you add a passkey"
        case .enrolmentPurpose: "Use \(name) to open the app without logging in each time. It stays on this device"
        case .biometricsRequired: "Your organisation requires \(name) for this app"
        case .biometricsOn: "\(name) enabled"
        case .biometricsOff: "\(name) is not enabled"
        case .biometricsEnabled: "\(name) is on. Use it the next time you open the app"
        case .biometricsDisabled: "\(name) is off. Log in with BankID or Vipps the next time"
        case .disableQuestion: "Stop opening the app with \(name)?"
        case .queued(1): "1 activity waits for the network"
        case .queued(let count): "\(count) activities wait for the network"
        case .activitySent: "The activity is registered"
        case .claimSent: "The claim is sent"
        case .noTemplate: "\(name) is not set up on this device. Set it up in the device's settings, or log in below"
        case .noSensor: "This device has no biometric sensor. Log in with e-mail and password"
        case .sensorOff: "\(name) is off for this app. Enable it in the device's settings, or use your password"
        case .sensorBlockedForNow: "\(name) is paused after several attempts. Use BankID or Vipps, or wait a little"
        case .sensorBlocked: "\(name) is paused until you unlock the device with its passcode. Use BankID or Vipps"
        case .sensorBroken: "\(name) does not work at the moment. Use BankID or Vipps"
        case .sensorTooWeak: "\(name) on this device is not secure enough for this app. Use BankID or Vipps"
        case .templatesChanged: "\(name) has changed on this device. Log in once to use it again"
        case .passcodeNeeded: "Unlock the device with its passcode first, or use BankID or Vipps"
        case .promptCancelled: "Try \(name) again, or log in another way"
        case .stepUpRefused: "The service did not accept the confirmation. Try \(name) again, or go back"
        case .biometricsForbidden: "Your organisation does not allow \(name) for this app"
        case .loginOffline: "You are offline. Log in when the network is back"
        case .needsNetwork: "You are offline. This works when the network is back"
        case .roleChanged: "Your role may not see this page"
        case .enableFirst: "Enable \(name) in the settings to open this"
        case .tooManyAttempts: "\(name) did not recognise you. Use BankID or Vipps, or your password"
        }
    }

    /// One message of each kind, for checks of the wording.
    package static let samples: [AppMessage] = [
        .consent(.bankID), .consent(.vipps), .roleChanged, .keptData,
        .loginCancelled(.bankID), .loginCancelled(.vipps), .providerUnavailable(.bankID), .providerUnavailable(.vipps),
        .loginFailed, .serviceUnavailable, .passwordWrong, .passwordTooOften, .passwordWeak,
        .resetCodeSent, .resetCodeWrong, .resetIncomplete, .codesBlocked, .sessionExpired,
        .offline, .offlineSessionExpired, .savedData, .codeSent, .codeWrong, .codeExpired, .codeTooOften,
        .passkeyMissing,
        .passkeyRefused, .passkeyAdded, .passkeyRemoved, .passkeyNotAdded, .passkeyKept, .passkeyOfAnother,
        .passkeyIsLast, .loginTooOld,
        .enrolmentPurpose, .biometricsRequired, .biometricsOn,
        .biometricsOff, .biometricsEnabled, .biometricsDisabled, .disableQuestion, .queued(1), .queued(2),
        .activitySent, .claimSent, .noTemplate, .noSensor, .sensorOff, .sensorBlockedForNow, .sensorBlocked,
        .sensorBroken, .sensorTooWeak, .templatesChanged, .passcodeNeeded, .promptCancelled, .tooManyAttempts,
        .enableFirst, .stepUpRefused, .biometricsForbidden, .loginOffline, .needsNetwork,
    ]
}
